package io.hiroba.saga.pages;

import io.hiroba.saga.pages.Graph.Box;
import io.hiroba.saga.pages.Graph.Drawing;
import io.hiroba.saga.pages.Graph.Frame;
import io.hiroba.saga.pages.Graph.Label;
import io.hiroba.saga.pages.Graph.Point;
import java.util.ArrayList;
import java.util.List;

/** Places the boxes of a workflow and the lines between them. */
final class GraphLayout {

    static final int BOX_WIDTH = 164;
    static final int BOX_HEIGHT = 72;

    private static final int HORIZONTAL_GAP = 44;
    private static final int VERTICAL_GAP = 28;
    private static final int MARGIN = 12;
    private static final int TERMINAL_RADIUS = 8;

    /** Above the boxes at the top, where one has a condition written over it. */
    private static final int CONDITION_HEIGHT = 12;

    /** Stages that go into one row; more are spread over rows evenly. */
    private static final int MAX_STAGES = 4;

    /** Between rows: a line goes back to the left there. */
    private static final int ROW_GAP = 56;

    private static final int CORNER = 10;

    /** Around a narrow drawing, and around the parallel steps in it. */
    private static final int NARROW_MARGIN = 12;

    private static final int COLUMNS = 2;

    private GraphLayout() {}

    /** Rows of stages, each from left to right. */
    static Drawing wide(List<List<Label>> stages) {
        int rows = Math.ceilDiv(stages.size(), MAX_STAGES);
        int inRow = Math.ceilDiv(stages.size(), rows);
        int left = MARGIN + 2 * TERMINAL_RADIUS + HORIZONTAL_GAP;
        int width = 2 * left + inRow * BOX_WIDTH + (inRow - 1) * HORIZONTAL_GAP;
        var boxes = new ArrayList<Box>();
        var lines = new ArrayList<String>();
        var before = List.<Point>of();
        var start = new Point(0, 0);
        int middle = 0;
        int top = MARGIN + roomForCondition(stages.subList(0, inRow));
        for (int first = 0; first < stages.size(); first += inRow) {
            var row = stages.subList(first, Math.min(first + inRow, stages.size()));
            int height = tall(row.stream().mapToInt(List::size).max().orElse(1));
            int above = middle;
            middle = top + height / 2;
            int x = left;
            for (var stage : row) {
                int y = middle - tall(stage.size()) / 2;
                var into = new ArrayList<Point>();
                var out = new ArrayList<Point>();
                for (var label : stage) {
                    boxes.add(new Box(x, y, label));
                    into.add(new Point(x, y + BOX_HEIGHT / 2));
                    out.add(new Point(x + BOX_WIDTH, y + BOX_HEIGHT / 2));
                    y += BOX_HEIGHT + VERTICAL_GAP;
                }
                if (before.isEmpty()) {
                    start = new Point(MARGIN + TERMINAL_RADIUS, middle);
                    lines.addAll(connect(List.of(new Point(start.x() + TERMINAL_RADIUS, middle)), into, middle));
                } else if (x == left) {
                    var end = new Point(before.getFirst().x() + HORIZONTAL_GAP / 2, above);
                    var begin = new Point(left - HORIZONTAL_GAP / 2, middle);
                    before.forEach(point -> lines.add(line(point, end)));
                    lines.add(backToTheLeft(end, begin, top - ROW_GAP / 2));
                    into.forEach(point -> lines.add(line(begin, point)));
                } else {
                    lines.addAll(connect(before, into, middle));
                }
                before = out;
                x += BOX_WIDTH + HORIZONTAL_GAP;
            }
            top += height + ROW_GAP;
        }
        var end = new Point(before.getFirst().x() + HORIZONTAL_GAP + TERMINAL_RADIUS, middle);
        lines.addAll(connect(before, List.of(new Point(end.x() - TERMINAL_RADIUS, middle)), middle));
        return new Drawing(width, top - ROW_GAP + MARGIN, start, end, boxes, List.of(), lines);
    }

    private static int roomForCondition(List<List<Label>> row) {
        return row.stream().anyMatch(stage -> stage.getFirst().when() != null) ? CONDITION_HEIGHT : 0;
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

    /** From the end of a row to the beginning of the next, between both. */
    private static String backToTheLeft(Point end, Point begin, int between) {
        return "M%d %dV%dQ%d %d %d %dH%dQ%d %d %d %dV%d"
                .formatted(
                        end.x(),
                        end.y(),
                        between - CORNER,
                        end.x(),
                        between,
                        end.x() - CORNER,
                        between,
                        begin.x() + CORNER,
                        begin.x(),
                        between,
                        begin.x(),
                        between + CORNER,
                        begin.y());
    }

    /** Stages from top to bottom along one line, parallel steps on both sides of it. */
    static Drawing narrow(List<List<Label>> stages) {
        int width = 2 * NARROW_MARGIN + COLUMNS * BOX_WIDTH + VERTICAL_GAP;
        int middle = width / 2;
        var boxes = new ArrayList<Box>();
        var frames = new ArrayList<Frame>();
        var lines = new ArrayList<String>();
        var start = new Point(middle, NARROW_MARGIN + TERMINAL_RADIUS);
        int above = start.y() + TERMINAL_RADIUS;
        for (var stage : stages) {
            int y = above + VERTICAL_GAP;
            if (stage.size() == 1) {
                lines.add(down(middle, above, y));
                boxes.add(new Box(middle - BOX_WIDTH / 2, y, stage.getFirst()));
                above = y + BOX_HEIGHT;
                continue;
            }
            int height = tall(Math.ceilDiv(stage.size(), COLUMNS)) + 2 * VERTICAL_GAP;
            frames.add(new Frame(1, y, width - 2, height));
            lines.add(down(middle, above, y + height));
            for (int number = 0; number < stage.size(); number++) {
                boolean isLeft = number % COLUMNS == 0;
                int x = isLeft ? NARROW_MARGIN : width - NARROW_MARGIN - BOX_WIDTH;
                int of = y + VERTICAL_GAP + number / COLUMNS * (BOX_HEIGHT + VERTICAL_GAP);
                boxes.add(new Box(x, of, stage.get(number)));
                lines.add("M%d %dH%d".formatted(middle, of + BOX_HEIGHT / 2, isLeft ? x + BOX_WIDTH : x));
            }
            above = y + height;
        }
        lines.add(down(middle, above, above + VERTICAL_GAP));
        var end = new Point(middle, above + VERTICAL_GAP + TERMINAL_RADIUS);
        return new Drawing(width, end.y() + TERMINAL_RADIUS + NARROW_MARGIN, start, end, boxes, frames, lines);
    }

    private static String down(int x, int from, int to) {
        return "M%d %dV%d".formatted(x, from, to);
    }
}
