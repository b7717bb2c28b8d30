package io.hiroba.testkit;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * A coarse look of a page as text: the average colour of each cell of a grid over its screenshot, three hexadecimal digits a
 * cell, and the boxes of its landmarks. Two looks of one page on machines with other fonts differ a little; those of a
 * broken layout or of lost colours differ much.
 */
public record Look(List<String> cells, Map<String, Box> landmarks) {

    private static final int CELL = 50;

    /** Steps of sixteen that a cell's colour may be off; one full step is about a line of text more or less. */
    private static final int COLOUR_TOLERANCE = 2;

    /** The share of cells that may be off: texts wrap elsewhere with other fonts. */
    private static final double CELLS_TOLERANCE = 0.08;

    private static final double SIZE_TOLERANCE = 0.25;
    private static final int WIDTH_TOLERANCE = 32;
    private static final int HEIGHT_TOLERANCE = 72;

    /** A place in pixels. */
    public record Box(int x, int y, int width, int height) {}

    /**
     * The look of a page.
     *
     * @param landmarks lines such as {@code card1 320 96 704 120}
     */
    public static Look of(byte[] screenshot, List<String> landmarks) {
        return new Look(cells(image(screenshot)), boxes(landmarks));
    }

    public static Look parse(String text) {
        var cells = new ArrayList<String>();
        var landmarks = new ArrayList<String>();
        text.lines().forEach(line -> (line.contains("  ") ? landmarks : cells).add(line.strip()));
        return new Look(
                cells,
                boxes(landmarks.stream().map(line -> line.replace("  ", " ")).toList()));
    }

    public String text() {
        var text = new StringBuilder();
        cells.forEach(row -> text.append(row).append('\n'));
        landmarks.forEach((name, box) ->
                text.append("%s  %d %d %d %d%n".formatted(name, box.x(), box.y(), box.width(), box.height())));
        return text.toString();
    }

    /** The differences from another look that are no matter of fonts, in words; none if they are alike. */
    public List<String> differencesFrom(Look expected) {
        var differences = new ArrayList<String>();
        differences.addAll(cellDifferences(expected));
        expected.landmarks.forEach((name, box) -> {
            var now = landmarks.get(name);
            if (now == null) {
                // What stands near the lower edge may have moved below it.
                if (box.y() < lowerEdge(expected) - 2 * HEIGHT_TOLERANCE) {
                    differences.add(name + " is missing");
                }
            } else if (!isNear(box, now)) {
                differences.add("%s is at %s instead of %s".formatted(name, now, box));
            }
        });
        return differences;
    }

    private static int lowerEdge(Look look) {
        return look.cells.size() * CELL;
    }

    private static boolean isNear(Box expected, Box now) {
        return near(expected.x(), now.x(), WIDTH_TOLERANCE + expected.width() / 8)
                && near(expected.width(), now.width(), WIDTH_TOLERANCE + (int) (expected.width() * SIZE_TOLERANCE))
                && near(expected.y(), now.y(), HEIGHT_TOLERANCE + (int) (expected.y() * SIZE_TOLERANCE))
                && near(expected.height(), now.height(), HEIGHT_TOLERANCE + (int) (expected.height() * SIZE_TOLERANCE));
    }

    private static boolean near(int expected, int now, int tolerance) {
        return Math.abs(expected - now) <= tolerance;
    }

    private List<String> cellDifferences(Look expected) {
        if (cells.size() != expected.cells.size()) {
            return List.of("%d rows of cells instead of %d".formatted(cells.size(), expected.cells.size()));
        }
        int off = 0;
        int all = 0;
        var where = new ArrayList<String>();
        for (int y = 0; y < cells.size(); y++) {
            for (int x = 0; x < cells.get(y).length() / 3; x++, all++) {
                if (isOff(expected, x, y)) {
                    off++;
                    where.add(x + "," + y);
                }
            }
        }
        return off <= all * CELLS_TOLERANCE
                ? List.of()
                : List.of("%d of %d cells have other colours: %s".formatted(off, all, where));
    }

    /** Whether no expected cell here or beside has about this colour. */
    private boolean isOff(Look expected, int x, int y) {
        var now = cell(cells.get(y), x);
        for (int row = Math.max(0, y - 1); row <= Math.min(y + 1, cells.size() - 1); row++) {
            var line = expected.cells.get(row);
            for (int column = Math.max(0, x - 1); column <= Math.min(x + 1, line.length() / 3 - 1); column++) {
                if (distance(now, cell(line, column)) <= COLOUR_TOLERANCE) {
                    return false;
                }
            }
        }
        return true;
    }

    private static String cell(String row, int x) {
        return row.substring(3 * x, 3 * x + 3);
    }

    private static int distance(String one, String other) {
        int most = 0;
        for (int i = 0; i < 3; i++) {
            most = Math.max(most, Math.abs(Character.digit(one.charAt(i), 16) - Character.digit(other.charAt(i), 16)));
        }
        return most;
    }

    private static List<String> cells(BufferedImage image) {
        var rows = new ArrayList<String>();
        for (int y = 0; y + CELL <= image.getHeight(); y += CELL) {
            var row = new StringBuilder();
            for (int x = 0; x + CELL <= image.getWidth(); x += CELL) {
                row.append(average(image.getRGB(x, y, CELL, CELL, null, 0, CELL)));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    private static String average(int[] pixels) {
        long red = 0;
        long green = 0;
        long blue = 0;
        for (int pixel : pixels) {
            red += pixel >> 16 & 0xff;
            green += pixel >> 8 & 0xff;
            blue += pixel & 0xff;
        }
        return digit(red, pixels.length) + digit(green, pixels.length) + digit(blue, pixels.length);
    }

    private static String digit(long sum, int pixels) {
        return Integer.toHexString((int) (sum / pixels) >> 4);
    }

    private static Map<String, Box> boxes(List<String> lines) {
        var boxes = new LinkedHashMap<String, Box>();
        for (var line : lines) {
            var parts = line.split(" ", -1);
            boxes.put(parts[0], new Box(number(parts[1]), number(parts[2]), number(parts[3]), number(parts[4])));
        }
        return boxes;
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    private static BufferedImage image(byte[] png) {
        try {
            return ImageIO.read(new ByteArrayInputStream(png));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
