package io.hiroba.records.pages;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A filter in its editor.
 *
 * @param attributes the attributes to choose from
 * @param kept the other query parameters of the grid
 */
public record Filter(List<Line> lines, boolean any, List<Choice> attributes, List<Parameter> kept) {

    public Filter {
        lines = List.copyOf(lines);
        attributes = List.copyOf(attributes);
        kept = List.copyOf(kept);
    }

    /** A query parameter. */
    public record Parameter(String name, String value) {}

    /**
     * A condition.
     *
     * @param input the type of its input, {@code select}, or {@code several} for any number of options
     * @param text the condition in words
     * @param without the URL of the grid without it
     * @param error why it cannot be applied
     */
    public record Line(
            String attribute,
            String operator,
            String value,
            boolean takesValue,
            String input,
            List<Choice> operators,
            List<Choice> options,
            String text,
            String without,
            @Nullable String error) {

        public Line {
            operators = List.copyOf(operators);
            options = List.copyOf(options);
        }

        Line withError(String message) {
            return new Line(attribute, operator, value, takesValue, input, operators, options, text, without, message);
        }

        /** Whether {@code option} is among its values. */
        public boolean isChosen(Choice option) {
            return List.of(value.split("\\s*,\\s*")).contains(option.value());
        }

        /** The labels of its chosen options. */
        public String chosen() {
            return options.stream().filter(this::isChosen).map(Choice::label).collect(Collectors.joining(", "));
        }

        /** The id of its error. */
        public String errorId() {
            return "filter-error-" + attribute + "-" + operator;
        }
    }

    /** An option of a select. */
    public record Choice(String value, String label) {}

    public boolean hasErrors() {
        return lines.stream().anyMatch(line -> line.error() != null);
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }
}
