package io.hiroba.cli;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** A text wrapped into lines, parts of it in bold, without terminal control characters. */
final class Paragraph {

    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final StringBuilder text = new StringBuilder();
    private final BitSet bold = new BitSet();

    static Paragraph of(String text) {
        return new Paragraph().add(text, false);
    }

    Paragraph add(String more, boolean stressed) {
        int from = text.length();
        text.append(Text.cell(more));
        bold.set(from, text.length(), stressed);
        return this;
    }

    /** Wraps the text into lines of at most {@code width} columns, where words allow it. */
    List<String> lines(int width, boolean colours) {
        var breaks = BreakIterator.getLineInstance(Locale.ROOT);
        breaks.setText(text.toString());
        var lines = new ArrayList<String>();
        int start = 0;
        for (int from = breaks.first(), to = breaks.next(); to != BreakIterator.DONE; from = to, to = breaks.next()) {
            if (from > start && Text.width(text.substring(start, to).stripTrailing()) > width) {
                lines.add(line(start, from, colours));
                start = from;
            }
        }
        lines.add(line(start, text.length(), colours));
        return lines;
    }

    private String line(int from, int to, boolean colours) {
        int end = to;
        while (end > from && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        if (!colours) {
            return text.substring(from, end);
        }
        var line = new StringBuilder();
        for (int i = from; i < end; ) {
            boolean stressed = bold.get(i);
            int next = stressed ? bold.nextClearBit(i) : bold.nextSetBit(i);
            int until = next < 0 ? end : Math.min(next, end);
            line.append(stressed ? BOLD : "").append(text, i, until).append(stressed ? PLAIN : "");
            i = until;
        }
        return line.toString();
    }
}
