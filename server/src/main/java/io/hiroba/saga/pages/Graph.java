package io.hiroba.saga.pages;

import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as a drawing: its stages from left to right, what runs side by side one above the other.
 *
 * @param lines what leads from one stage to the next, as paths
 */
public record Graph(int width, int height, Point start, Point end, List<Box> boxes, List<String> lines) {

    private static final int WIDE = 164;
    private static final int HIGH = 72;
    private static final int BESIDE = 44;
    private static final int BELOW = 20;
    private static final int MARGIN = 12;
    private static final int END = 8;
    private static final int LONGEST = 20;
    private static final int MOST_SHRUNK = 1150;

    /** Whether it can be drawn smaller, to fit beside the rest, and still be read. */
    public boolean isShort() {
        return width <= MOST_SHRUNK;
    }

    public Graph {
        boxes = List.copyOf(boxes);
        lines = List.copyOf(lines);
    }

    /** A place on the drawing. */
    public record Point(int x, int y) {}

    /**
     * A step.
     *
     * @param isSignal whether it waits for somebody instead of calling a service
     * @param about what it calls or waits for, shortened to fit
     * @param undo what undoes it, shortened to fit; null where nothing does
     * @param title all of it
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
            String title) {}

    static Graph of(Workflow workflow) {
        var stages = workflow.stages();
        int tallest = stages.stream().mapToInt(List::size).max().orElse(1);
        int height = 2 * MARGIN + tall(tallest);
        int width = 2 * (MARGIN + 2 * END) + stages.size() * WIDE + (stages.size() + 1) * BESIDE;
        int middle = height / 2;
        var start = new Point(MARGIN + END, middle);
        var end = new Point(width - MARGIN - END, middle);
        var boxes = new ArrayList<Box>();
        var lines = new ArrayList<String>();
        var before = List.of(new Point(start.x() + END, middle));
        int x = MARGIN + 2 * END + BESIDE;
        for (var stage : stages) {
            int y = middle - tall(stage.size()) / 2;
            var into = new ArrayList<Point>();
            var out = new ArrayList<Point>();
            for (var step : stage) {
                boxes.add(box(step, x, y));
                into.add(new Point(x, y + HIGH / 2));
                out.add(new Point(x + WIDE, y + HIGH / 2));
                y += HIGH + BELOW;
            }
            lines.addAll(connect(before, into, middle));
            before = out;
            x += WIDE + BESIDE;
        }
        lines.addAll(connect(before, List.of(new Point(end.x() - END, middle)), middle));
        return new Graph(width, height, start, end, boxes, lines);
    }

    private static int tall(int steps) {
        return steps * HIGH + (steps - 1) * BELOW;
    }

    /** Everything that ends meets in the middle, and what begins parts from there. */
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

    private static Box box(Step step, int x, int y) {
        return switch (step.work()) {
            case Step.Call call ->
                new Box(
                        x,
                        y,
                        WIDE,
                        HIGH,
                        false,
                        shortened(step.name()),
                        shortened(call.service() + " · " + call.method()),
                        call.compensate() == null ? null : shortened(call.compensate()),
                        "%s: %s of %s%s"
                                .formatted(
                                        step.name(),
                                        call.method(),
                                        call.service(),
                                        call.compensate() == null ? "" : ", undone by " + call.compensate()));
            case Step.Signal signal ->
                new Box(
                        x,
                        y,
                        WIDE,
                        HIGH,
                        true,
                        shortened(step.name()),
                        shortened("waits for " + signal.name()),
                        null,
                        "%s: waits for the signal %s".formatted(step.name(), signal.name()));
        };
    }

    /** Cut between characters, not within one. */
    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= LONGEST
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST - 1)) + "…";
    }
}
