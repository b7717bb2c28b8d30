package io.hiroba.records.pages;

import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Makes the lines of a filter. */
final class FilterLines {

    private final LocalMoments moments;

    FilterLines(LocalMoments moments) {
        this.moments = moments;
    }

    /** A line about {@code attribute}; an operator that does not suit it becomes the first one that does. */
    Filter.Line of(Attribute attribute, Comparison operator, String value, String without) {
        var operators = Comparison.of(attribute);
        var used = operators.contains(operator) ? operator : operators.getFirst();
        var shown = shown(attribute, used, value);
        return new Filter.Line(
                attribute.name(),
                used.code(),
                shown,
                used.takesValue(),
                input(attribute, used, shown),
                operators.stream()
                        .map(each -> new Filter.Choice(each.code(), each.label(attribute.type())))
                        .toList(),
                options(attribute),
                words(attribute, used, shown),
                without);
    }

    List<Filter.Line> of(GridRequest request, Map<String, Attribute> attributes, String path) {
        var lines = new ArrayList<Filter.Line>();
        for (var condition : request.conditions()) {
            var attribute = attributes.get(condition.attribute());
            if (attribute != null) {
                lines.add(of(
                        attribute,
                        condition.comparison(),
                        condition.value(),
                        path + request.without(condition).query()));
            }
        }
        return lines;
    }

    /** What a filter can be about. */
    static List<String> names(Collection<Attribute> attributes) {
        return attributes.stream().map(Attribute::name).toList();
    }

    private String words(Attribute attribute, Comparison operator, String shown) {
        var start = attribute.name() + " " + operator.label(attribute.type());
        if (!operator.takesValue()) {
            return start;
        }
        return switch (attribute.type()) {
            case BOOL -> start + (shown.equals("true") ? " yes" : " no");
            case DATE -> start + " " + shown.replace('T', ' ');
            case TEXT, NUMERIC, JSONB -> start + " " + Cells.cut(shown);
        };
    }

    private String shown(Attribute attribute, Comparison operator, String value) {
        if (attribute.type() != ValueType.DATE || operator.takesSeveral()) {
            return value;
        }
        return Typed.moment(value).map(moments::typed).orElse(value);
    }

    private static String input(Attribute attribute, Comparison operator, String shown) {
        if (operator.takesSeveral()) {
            return "text";
        }
        if (!attribute.options().isEmpty() || attribute.type() == ValueType.BOOL) {
            return "select";
        }
        return attribute.type() == ValueType.DATE ? LocalMoments.input(shown) : "text";
    }

    private List<String> options(Attribute attribute) {
        if (attribute.type() == ValueType.BOOL) {
            return List.of("true", "false");
        }
        return attribute.options().stream()
                .map(each -> Typed.text(attribute, attribute.type().shown(each), moments))
                .toList();
    }
}
