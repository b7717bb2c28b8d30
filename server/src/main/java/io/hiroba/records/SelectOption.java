package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An option of an attribute whose values are chosen: a text or a list.
 *
 * @param title the name that pages show; null for the value
 * @param color one of {@link #COLORS}; null for none
 */
public record SelectOption(
        String value, @Nullable String title, @Nullable String color) {

    /** The colours, each of which can be read in light and dark. */
    public static final List<String> COLORS =
            List.of("gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink");

    static final int MAX_OPTIONS = 1000;
    private static final int MAX_LENGTH = 100;

    public SelectOption {
        title = title == null || title.isBlank() || title.strip().equals(value) ? null : title.strip();
        color = color == null || color.isEmpty() ? null : color;
    }

    /** The name that pages show. */
    public String label() {
        return title == null ? value : title;
    }

    /** Whether it is more than its value. */
    boolean isStyled() {
        return title != null || color != null;
    }

    /** Whatever is wrong with a list of options for {@code attribute}. */
    static List<FieldError> faults(String field, SchemaAttribute attribute, List<SelectOption> options) {
        var faults = new ArrayList<FieldError>();
        if (attribute.type().element() != ValueType.TEXT || attribute.references() != null || attribute.isMany()) {
            return List.of(new FieldError(field, Text.of("records.field.text-only")));
        }
        if (options.size() > MAX_OPTIONS) {
            return List.of(new FieldError(field, Text.of("records.field.values")));
        }
        var seen = new HashSet<String>();
        for (int i = 0; i < options.size(); i++) {
            var option = options.get(i);
            var at = "%s[%d]".formatted(field, i);
            var value = option.value();
            if (value.isBlank() || !value.equals(value.strip()) || isBad(value)) {
                faults.add(new FieldError(at + ".value", Text.of("records.field.option-value")));
            } else if (!seen.add(value)) {
                faults.add(new FieldError(at + ".value", Text.of("records.field.twice")));
            }
            if (option.title() != null && isBad(option.title())) {
                faults.add(new FieldError(at + ".title", Text.of("records.field.title")));
            }
            if (option.color() != null && !COLORS.contains(option.color())) {
                faults.add(new FieldError(
                        at + ".color", Text.of("http.field.one-of", "values", String.join(", ", COLORS))));
            }
        }
        return faults;
    }

    /** Whether it may be an option. */
    static boolean isGood(String value) {
        return !isBad(value);
    }

    private static boolean isBad(String text) {
        return text.codePointCount(0, text.length()) > MAX_LENGTH
                || text.codePoints()
                        .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    }
}
