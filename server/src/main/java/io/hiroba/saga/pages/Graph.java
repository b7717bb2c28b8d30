package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A drawing of a workflow: its stages from left to right, parallel steps one above the other.
 *
 * @param lines the connections of the stages, as SVG paths
 */
public record Graph(int width, int height, Point start, Point end, List<Box> boxes, List<String> lines) {

    private static final int BOX_WIDTH = 164;
    private static final int BOX_HEIGHT = 72;
    private static final int HORIZONTAL_GAP = 44;
    private static final int VERTICAL_GAP = 28;
    private static final int MARGIN = 20;
    private static final int TERMINAL_RADIUS = 8;
    private static final int MAX_LABEL_LENGTH = 20;
    private static final int MAX_SHORT_WIDTH = 1150;

    /** Whether it stays readable when it is scaled down to fit. */
    public boolean isShort() {
        return width <= MAX_SHORT_WIDTH;
    }

    public Graph {
        boxes = List.copyOf(boxes);
        lines = List.copyOf(lines);
    }

    /** A point of the drawing. */
    public record Point(int x, int y) {}

    /**
     * The box of a step.
     *
     * @param isSignal whether it waits for a signal instead of calling a service
     * @param about the method or signal, shortened to fit
     * @param undo the compensating method, shortened to fit, if there is one
     * @param title all of it
     * @param when its condition, shortened to fit, if it has one
     * @param state the name of the style of its state, where it is a step of a saga
     */
    public record Box(
            int x,
            int y,
            int width,
            int height,
            boolean isSignal,
            String name,
            String about,
            @Nullable String undo,
            String title,
            @Nullable String when,
            @Nullable String state) {

        Box in(@Nullable String now) {
            return new Box(x, y, width, height, isSignal, name, about, undo, title, when, now);
        }
    }

    static Graph of(Workflow workflow, Reader reader) {
        return of(workflow, List.of(), reader);
    }

    /** @param lanes the steps of a saga in their order, whose states are shown */
    static Graph of(Workflow workflow, List<Timeline.Lane> lanes, Reader reader) {
        var stages = workflow.stages();
        int tallest = stages.stream().mapToInt(List::size).max().orElse(1);
        int height = 2 * MARGIN + tall(tallest);
        int width =
                2 * (MARGIN + 2 * TERMINAL_RADIUS) + stages.size() * BOX_WIDTH + (stages.size() + 1) * HORIZONTAL_GAP;
        int middle = height / 2;
        var start = new Point(MARGIN + TERMINAL_RADIUS, middle);
        var end = new Point(width - MARGIN - TERMINAL_RADIUS, middle);
        var boxes = new ArrayList<Box>();
        var lines = new ArrayList<String>();
        var before = List.of(new Point(start.x() + TERMINAL_RADIUS, middle));
        int x = MARGIN + 2 * TERMINAL_RADIUS + HORIZONTAL_GAP;
        for (var stage : stages) {
            int y = middle - tall(stage.size()) / 2;
            var into = new ArrayList<Point>();
            var out = new ArrayList<Point>();
            for (var step : stage) {
                var state = step.index() < lanes.size()
                        ? lanes.get(step.index()).state().word()
                        : null;
                boxes.add(box(step, x, y, reader).in(state));
                into.add(new Point(x, y + BOX_HEIGHT / 2));
                out.add(new Point(x + BOX_WIDTH, y + BOX_HEIGHT / 2));
                y += BOX_HEIGHT + VERTICAL_GAP;
            }
            lines.addAll(connect(before, into, middle));
            before = out;
            x += BOX_WIDTH + HORIZONTAL_GAP;
        }
        lines.addAll(connect(before, List.of(new Point(end.x() - TERMINAL_RADIUS, middle)), middle));
        return new Graph(width, height, start, end, boxes, lines);
    }

    private static int tall(int steps) {
        return steps * BOX_HEIGHT + (steps - 1) * VERTICAL_GAP;
    }

    /** Lines of one stage join in the middle, and those of the next branch off there. */
    private static List<String> connect(List<Point> from, List<Point> to, int middle) {
        var lines = new ArrayList<String>();
        int joint = (from.getFirst().x() + to.getFirst().x()) / 2;
        from.forEach(point -> lines.add(line(point, new Point(joint, middle))));
        to.forEach(point -> lines.add(line(new Point(joint, middle), point)));
        return lines;
    }

    private static String line(Point from, Point to) {
        int bend = (from.x() + to.x()) / 2;
        return "M%d %dC%d %d %d %d %d %d".formatted(from.x(), from.y(), bend, from.y(), bend, to.y(), to.x(), to.y());
    }

    private static Box box(Step step, int x, int y, Reader reader) {
        var condition = step.when() == null ? null : step.when().text();
        var when = step.when() == null
                ? null
                : step.when()
                        .last()
                        .map(last -> reader.text("saga.workflow.box-if", "condition", shortened(last)))
                        .orElseGet(() -> reader.text("saga.workflow.box-otherwise"));
        return switch (step.work()) {
            case Step.Timer timer ->
                new Box(
                        x,
                        y,
                        BOX_WIDTH,
                        BOX_HEIGHT,
                        true,
                        shortened(step.name()),
                        shortened(reader.text(TimerText.of(timer))),
                        null,
                        titled(step.name() + ": " + reader.text(TimerText.of(timer)), condition, reader),
                        when,
                        null);
            case Step.Call call ->
                new Box(
                        x,
                        y,
                        BOX_WIDTH,
                        BOX_HEIGHT,
                        false,
                        shortened(step.name()),
                        shortened(call.service() + " · " + call.method()),
                        call.compensate() == null ? null : shortened(call.compensate()),
                        titled(reader.text(title(step.name(), call)), condition, reader),
                        when,
                        null);
            case Step.Signal signal ->
                new Box(
                        x,
                        y,
                        BOX_WIDTH,
                        BOX_HEIGHT,
                        true,
                        shortened(step.name()),
                        shortened(reader.text("saga.workflow.box-waits", "signal", signal.name())),
                        null,
                        titled(
                                reader.text("saga.workflow.box-signal", "step", step.name(), "signal", signal.name()),
                                condition,
                                reader),
                        when,
                        null);
            case Step.Approval approval ->
                new Box(
                        x,
                        y,
                        BOX_WIDTH,
                        BOX_HEIGHT,
                        true,
                        shortened(step.name()),
                        shortened(reader.text("saga.workflow.step-approval")),
                        null,
                        titled(
                                reader.text(
                                        "saga.workflow.box-approval", "step", step.name(), "title", approval.title()),
                                condition,
                                reader),
                        when,
                        null);
            case Step.Children children ->
                new Box(
                        x,
                        y,
                        BOX_WIDTH,
                        BOX_HEIGHT,
                        false,
                        shortened(step.name()),
                        shortened(StepWords.brief(children, reader)),
                        null,
                        titled(
                                reader.text(
                                        "saga.workflow.box-does",
                                        "step",
                                        step.name(),
                                        "does",
                                        StepWords.does(children, reader)),
                                condition,
                                reader),
                        when,
                        null);
            case Step.Continuation next ->
                new Box(
                        x,
                        y,
                        BOX_WIDTH,
                        BOX_HEIGHT,
                        false,
                        shortened(step.name()),
                        shortened(reader.text("saga.workflow.box-continues")),
                        null,
                        titled(
                                reader.text(
                                        "saga.workflow.box-does",
                                        "step",
                                        step.name(),
                                        "does",
                                        StepWords.does(next, reader)),
                                condition,
                                reader),
                        when,
                        null);
        };
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
