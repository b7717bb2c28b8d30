package io.hiroba.saga.workflow;

import java.util.Comparator;

/**
 * Where something stands in a text, from 1 on.
 *
 * @param column 0 where the line says enough
 */
record Place(int line, int column) implements Comparable<Place> {

    static final Place START = new Place(1, 0);

    private static final Comparator<Place> ORDER =
            Comparator.comparingInt(Place::line).thenComparingInt(Place::column);

    static Place ofLine(int line) {
        return new Place(line, 0);
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return column == 0 ? "line " + line : "line %d, column %d".formatted(line, column);
    }
}
