package io.hiroba.saga.workflow;

import java.util.Comparator;

/**
 * A position in a text, from 1 on.
 *
 * @param column 0 where the line says enough
 */
record SourcePosition(int line, int column) implements Comparable<SourcePosition> {

    static final SourcePosition START = new SourcePosition(1, 0);

    private static final Comparator<SourcePosition> ORDER =
            Comparator.comparingInt(SourcePosition::line).thenComparingInt(SourcePosition::column);

    static SourcePosition ofLine(int line) {
        return new SourcePosition(line, 0);
    }

    @Override
    public int compareTo(SourcePosition other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return column == 0 ? "line " + line : "line %d, column %d".formatted(line, column);
    }
}
