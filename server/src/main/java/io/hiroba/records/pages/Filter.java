package io.hiroba.records.pages;

import java.util.List;

/**
 * A filter as it is built.
 *
 * @param attributes those that there are to choose from
 * @param kept the rest of what the grid was asked for, by the names of their parameters
 */
public record Filter(List<Line> lines, boolean any, List<String> attributes, List<Parameter> kept, String sort) {

    public Filter {
        lines = List.copyOf(lines);
        attributes = List.copyOf(attributes);
        kept = List.copyOf(kept);
    }

    /** Part of an address. */
    public record Parameter(String name, String value) {}

    /**
     * A condition.
     *
     * @param input what its value is typed into: an input's type, or {@code select}
     * @param text the condition in words
     * @param without where the grid is without it
     */
    public record Line(
            String attribute,
            String operator,
            String value,
            boolean takesValue,
            String input,
            List<Choice> operators,
            List<String> options,
            String text,
            String without) {

        public Line {
            operators = List.copyOf(operators);
            options = List.copyOf(options);
        }
    }

    /** An option of a choice. */
    public record Choice(String value, String label) {}

    public boolean isEmpty() {
        return lines.isEmpty();
    }
}
