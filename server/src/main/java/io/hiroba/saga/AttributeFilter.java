package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.SearchAttribute;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a search attribute: a value, or a range with one end or both. Values are compared as each type that they are of,
 * since workflows may give attributes of one name different types.
 *
 * @param equal the forms of a value by type; empty for a range
 * @param from the least value of a range of {@code type}; null for none
 * @param to the greatest one; null for none
 */
public record AttributeFilter(
        String name,
        Map<SearchAttribute.Type, String> equal,
        SearchAttribute.Type type,
        @Nullable String from,
        @Nullable String to) {

    private static final int MAX = 3;
    private static final String FIELD = "attribute";
    private static final Pattern FORM =
            Pattern.compile("\\s*([A-Za-z][A-Za-z0-9_-]{0,63})\\s*(>=|<=|=)(.*)", Pattern.DOTALL);

    public AttributeFilter {
        equal = Map.copyOf(equal);
    }

    boolean isRange() {
        return equal.isEmpty();
    }

    /**
     * The conditions that somebody gave as {@code name=value}, {@code name>=value} or {@code name<=value}; empty ones do not
     * count. A text is compared with all that stands after the sign.
     */
    public static List<AttributeFilter> parse(List<String> given) {
        var filters = new LinkedHashMap<String, AttributeFilter>();
        for (var each : given) {
            if (each.isBlank()) {
                continue;
            }
            var found = FORM.matcher(each);
            if (!found.matches()) {
                throw SagaProblem.invalid(FIELD, Text.of("saga.field.attribute-filter"));
            }
            add(filters, found.group(1), found.group(2), found.group(3));
        }
        if (filters.size() > MAX) {
            throw SagaProblem.invalid(FIELD, Text.of("saga.field.attribute-count", "max", MAX));
        }
        return List.copyOf(filters.values());
    }

    private static void add(Map<String, AttributeFilter> filters, String name, String operator, String value) {
        var before = filters.get(name);
        boolean isFrom = operator.equals(">=");
        if (before != null && !before.lacks(operator)) {
            throw SagaProblem.invalid(FIELD, Text.of("saga.field.attribute-twice", "attribute", name));
        }
        if (operator.equals("=")) {
            filters.put(name, new AttributeFilter(name, forms(value), SearchAttribute.Type.STRING, null, null));
            return;
        }
        var bound = value.strip();
        var type = SearchAttribute.Type.NUMBER.parse(bound).isPresent()
                ? SearchAttribute.Type.NUMBER
                : SearchAttribute.Type.DATE;
        var end = type.parse(bound).orElseThrow(() -> SagaProblem.invalid(FIELD, Text.of("saga.field.attribute-end")));
        if (before != null && before.type() != type) {
            throw SagaProblem.invalid(FIELD, Text.of("saga.field.attribute-end"));
        }
        filters.put(
                name,
                new AttributeFilter(
                        name,
                        Map.of(),
                        type,
                        isFrom ? end : before == null ? null : before.from(),
                        isFrom ? before == null ? null : before.to() : end));
    }

    /** Refuses a value that no attribute of this type has; texts are compared with anything. */
    void requireType(SearchAttribute.Type declared) {
        boolean fits = isRange() ? type == declared : equal.containsKey(declared);
        if (!fits && declared != SearchAttribute.Type.STRING) {
            throw SagaProblem.invalid(
                    FIELD, Text.of("saga.field.attribute-type", "attribute", name, "reason", declared.rule()));
        }
    }

    /** Whether this is a range without the end that {@code operator} gives. */
    private boolean lacks(String operator) {
        return switch (operator) {
            case ">=" -> isRange() && from == null;
            case "<=" -> isRange() && to == null;
            default -> false;
        };
    }

    private static Map<SearchAttribute.Type, String> forms(String value) {
        var forms = new EnumMap<SearchAttribute.Type, String>(SearchAttribute.Type.class);
        for (var type : SearchAttribute.Type.values()) {
            type.parse(type == SearchAttribute.Type.STRING ? value : value.strip())
                    .ifPresent(form -> forms.put(type, form));
        }
        if (forms.isEmpty()) {
            throw SagaProblem.invalid(
                    FIELD, Text.of("saga.field.attribute-string", "max", SearchAttribute.MAX_TEXT_LENGTH));
        }
        return forms;
    }

    /** The types of the values, in a fixed order. */
    List<SearchAttribute.Type> types() {
        return equal.keySet().stream().sorted().toList();
    }
}
