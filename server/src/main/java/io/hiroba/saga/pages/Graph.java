package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as boxes and lines, drawn twice: for wide pages and for narrow ones.
 *
 * @param wide rows of stages, each from left to right with parallel steps one above the other
 * @param narrow stages from top to bottom, parallel steps in two columns
 */
public record Graph(Drawing wide, Drawing narrow) {

    private static final int MAX_LABEL_LENGTH = 20;

    /**
     * A drawing.
     *
     * @param frames the rectangles around parallel steps, where they are not told by their places
     * @param lines the connections of the stages, as SVG paths
     */
    public record Drawing(
            int width, int height, Point start, Point end, List<Box> boxes, List<Frame> frames, List<String> lines) {

        public Drawing {
            boxes = List.copyOf(boxes);
            frames = List.copyOf(frames);
            lines = List.copyOf(lines);
        }
    }

    /** A point of a drawing. */
    public record Point(int x, int y) {}

    /** A rectangle around parallel steps. */
    public record Frame(int x, int y, int width, int height) {}

    /** The box of a step at its place. */
    public record Box(int x, int y, Label label) {

        public int width() {
            return GraphLayout.BOX_WIDTH;
        }

        public int height() {
            return GraphLayout.BOX_HEIGHT;
        }
    }

    /**
     * The words and the style of the box of a step.
     *
     * @param isSignal whether it waits for a signal instead of calling a service
     * @param about the method or signal, shortened to fit
     * @param undo the compensating method, shortened to fit, if there is one
     * @param title all of it
     * @param when its condition, shortened to fit, if it has one
     * @param state the name of the style of its state, where it is a step of a saga
     */
    public record Label(
            boolean isSignal,
            String name,
            String about,
            @Nullable String undo,
            String title,
            @Nullable String when,
            @Nullable String state) {}

    static Graph of(Workflow workflow, Reader reader) {
        return of(workflow, List.of(), reader);
    }

    /** @param lanes the steps of a saga in their order, whose states are shown */
    static Graph of(Workflow workflow, List<Timeline.Lane> lanes, Reader reader) {
        var stages = workflow.stages().stream()
                .map(stage -> stage.stream()
                        .map(step -> label(
                                step,
                                step.index() < lanes.size()
                                        ? lanes.get(step.index()).state().word()
                                        : null,
                                reader))
                        .toList())
                .toList();
        return new Graph(GraphLayout.wide(stages), GraphLayout.narrow(stages));
    }

    private static Label label(Step step, @Nullable String state, Reader reader) {
        var condition = step.when() == null ? null : step.when().text();
        var when = step.when() == null
                ? null
                : step.when()
                        .last()
                        .map(last -> reader.text("saga.workflow.box-if", "condition", shortened(last)))
                        .orElseGet(() -> reader.text("saga.workflow.box-otherwise"));
        var undo = step.call().map(Step.Call::compensate).map(Graph::shortened).orElse(null);
        var title = titled(title(step, reader), condition, reader);
        return new Label(waits(step), shortened(step.name()), shortened(about(step, reader)), undo, title, when, state);
    }

    private static boolean waits(Step step) {
        return switch (step.work()) {
            case Step.Timer _, Step.Signal _, Step.Approval _ -> true;
            case Step.Call _, Step.Children _, Step.Continuation _ -> false;
        };
    }

    private static String about(Step step, Reader reader) {
        return switch (step.work()) {
            case Step.Timer timer -> reader.text(TimerText.of(timer));
            case Step.Call call -> StepWords.brief(call);
            case Step.Signal signal -> reader.text("saga.workflow.box-waits", "signal", signal.name());
            case Step.Approval _ -> reader.text("saga.workflow.step-approval");
            case Step.Children children -> StepWords.brief(children, reader);
            case Step.Continuation _ -> reader.text("saga.workflow.box-continues");
        };
    }

    private static String title(Step step, Reader reader) {
        var name = step.name();
        return switch (step.work()) {
            case Step.Timer timer -> name + ": " + reader.text(TimerText.of(timer));
            case Step.Call call -> reader.text(title(name, call));
            case Step.Signal signal -> reader.text("saga.workflow.box-signal", "step", name, "signal", signal.name());
            case Step.Approval approval ->
                reader.text("saga.workflow.box-approval", "step", name, "title", approval.title());
            case Step.Children children -> does(name, StepWords.does(children, reader), reader);
            case Step.Continuation next -> does(name, StepWords.does(next, reader), reader);
        };
    }

    private static String does(String step, String does, Reader reader) {
        return reader.text("saga.workflow.box-does", "step", step, "does", does);
    }

    private static String titled(String title, @Nullable String condition, Reader reader) {
        return condition == null
                ? title
                : reader.text("saga.workflow.box-when", "title", title, "condition", condition);
    }

    private static Text title(String step, Step.Call call) {
        var undo = call.compensate();
        var method = call.method();
        var service = call.service();
        return undo == null
                ? Text.of("saga.workflow.box-call", "step", step, "method", method, "service", service)
                : Text.of(
                        "saga.workflow.box-undone-call",
                        "step",
                        step,
                        "method",
                        method,
                        "service",
                        service,
                        "undo",
                        undo);
    }

    /** Cut between characters, not within one. */
    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= MAX_LABEL_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_LABEL_LENGTH - 1)) + "…";
    }
}
