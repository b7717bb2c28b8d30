package io.hiroba.platform.http;

import java.util.List;

/** A position in a list: the values of the list's order at its last item. */
public record Cursor(List<String> values) {

    public Cursor {
        values = List.copyOf(values);
    }

    public static Cursor of(String... values) {
        return new Cursor(List.of(values));
    }

    public String text(int index) {
        if (index >= values.size()) {
            throw HttpProblem.badCursor();
        }
        return values.get(index);
    }

    public long number(int index) {
        try {
            return Long.parseLong(text(index));
        } catch (NumberFormatException e) {
            throw HttpProblem.badCursor();
        }
    }
}
