package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Builds the lines of a filter. */
final class FilterLines {

    private final Reader reader;
    private final Supplier<List<Filter.Choice>> members;

    /** @param members those of the project by their ids */
    FilterLines(Reader reader, Supplier<List<Filter.Choice>> members) {
        this.reader = reader;
        this.members = members;
    }

    /** A row for {@code attribute}; an operator that does not apply to it is replaced by the first that does. */
    Filter.Line of(SchemaAttribute attribute, FilterComparison operator, String value, String without) {
        var operators = FilterComparison.of(attribute);
        var used = operators.contains(operator) ? operator : operators.getFirst();
        var shown = shown(attribute, used, value);
        return new Filter.Line(
                attribute.name(),
                used.code(),
                shown,
                used.takesValue(),
                input(attribute, used, shown),
                operators.stream()
                        .map(each -> new Filter.Choice(each.code(), reader.text(each.label(attribute.type()))))
                        .toList(),
                options(attribute, shown),
                reader.text(used.condition(attribute, words(attribute, shown))),
                without,
                null);
    }

    List<Filter.Line> of(GridRequest request, Map<String, SchemaAttribute> attributes, String path) {
        var errors = request.errors(attributes, reader);
        var lines = new ArrayList<Filter.Line>();
        for (var condition : request.conditions()) {
            var attribute = attributes.get(condition.attribute());
            if (attribute != null) {
                var line = of(
                        attribute,
                        condition.comparison(),
                        condition.value(),
                        path + request.without(condition).query());
                var error = errors.get(condition);
                lines.add(error == null ? line : line.withError(reader.sentence(error)));
            }
        }
        return lines;
    }

    /** The attributes that can be filtered. */
    static List<Filter.Choice> choices(Collection<SchemaAttribute> attributes) {
        return attributes.stream()
                .map(each -> new Filter.Choice(each.name(), each.label()))
                .toList();
    }

    private String words(SchemaAttribute attribute, String shown) {
        return switch (attribute.type()) {
            case BOOL -> shown.equals("true") ? reader.text("records.filter-yes") : reader.text("records.filter-no");
            case DATE -> FormValues.day(shown).map(reader::date).orElse(shown);
            case DATETIME -> shown.replace('T', ' ');
            case TEXT ->
                attribute.isPerson()
                        ? person(shown)
                        : CellFormatter.cut(attribute.choice(shown).label());
            case NUMERIC, JSONB -> CellFormatter.cut(shown);
            case MULTI_SELECT ->
                CellFormatter.cut(Arrays.stream(shown.split(",", -1))
                        .map(String::strip)
                        .map(each -> attribute.isPerson()
                                ? person(each)
                                : attribute.choice(each).label())
                        .collect(Collectors.joining(", ")));
        };
    }

    private String person(String id) {
        return id.equals("me")
                ? reader.text("records.filter-me")
                : members.get().stream()
                        .filter(each -> each.value().equals(id))
                        .map(Filter.Choice::label)
                        .findFirst()
                        .orElseGet(() -> RecordTitles.shortened(id));
    }

    private String shown(SchemaAttribute attribute, FilterComparison operator, String value) {
        return attribute.type() != ValueType.DATETIME || operator.takesSeveral()
                ? value
                : FormValues.moment(value).map(reader::localText).orElse(value);
    }

    private static String input(SchemaAttribute attribute, FilterComparison operator, String shown) {
        if (operator.takesSeveral() && !(attribute.isPerson() && attribute.isList() && shown.indexOf(',') < 0)) {
            return "text";
        }
        if (!attribute.options().isEmpty() || attribute.type() == ValueType.BOOL || attribute.isPerson()) {
            return "select";
        }
        return switch (attribute.type()) {
            case DATE -> FormField.dayInput(shown);
            case DATETIME -> Reader.inputType(shown);
            case TEXT, NUMERIC, BOOL, JSONB, MULTI_SELECT -> "text";
        };
    }

    private List<Filter.Choice> options(SchemaAttribute attribute, String shown) {
        if (attribute.isPerson()) {
            var people = new ArrayList<Filter.Choice>();
            people.add(new Filter.Choice("me", reader.text("records.filter-me")));
            people.addAll(members.get());
            if (!shown.isEmpty()
                    && people.stream().noneMatch(each -> each.value().equals(shown))) {
                people.add(new Filter.Choice(shown, person(shown)));
            }
            return people;
        }
        if (attribute.type() == ValueType.BOOL) {
            return List.of(
                    new Filter.Choice("true", reader.text("records.filter-yes")),
                    new Filter.Choice("false", reader.text("records.filter-no")));
        }
        return attribute.options().stream()
                .map(each -> attribute.isMultiSelect()
                        ? each.stringValue()
                        : FormValues.text(attribute, attribute.type().shown(each), reader))
                .map(value -> new Filter.Choice(value, attribute.choice(value).label()))
                .toList();
    }
}
