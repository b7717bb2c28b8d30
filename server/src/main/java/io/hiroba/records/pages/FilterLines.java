package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.RelativeDays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Builds the lines of a filter. */
final class FilterLines {

    private final Reader reader;
    private final Supplier<List<Filter.Choice>> members;
    private final Function<SchemaAttribute, List<FilterComparison>> comparisons;

    /** @param members those of the project by their ids */
    FilterLines(Reader reader, Supplier<List<Filter.Choice>> members) {
        this(reader, members, FilterComparison::of);
    }

    private FilterLines(
            Reader reader,
            Supplier<List<Filter.Choice>> members,
            Function<SchemaAttribute, List<FilterComparison>> comparisons) {
        this.reader = reader;
        this.members = members;
        this.comparisons = comparisons;
    }

    /** The same with the comparisons of rules. */
    FilterLines ofRules() {
        return new FilterLines(reader, members, FilterComparison::ofRules);
    }

    /** A row for {@code attribute}; an operator that does not apply to it is replaced by the first that does. */
    Filter.Line of(SchemaAttribute attribute, FilterComparison operator, String value, String without) {
        var operators = comparisons.apply(attribute);
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
                options(attribute, used, shown),
                reader.text(used.condition(attribute, used.isRelative() ? days(shown) : words(attribute, used, shown))),
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

    private String days(String shown) {
        return FilterComparison.WORDS.contains(shown)
                ? reader.text("records.days." + shown)
                : shown.replace("/", " – ");
    }

    private String words(SchemaAttribute attribute, FilterComparison operator, String shown) {
        if (operator.takesSeveral()) {
            return CellFormatter.cut(
                    several(shown).stream().map(each -> label(attribute, each)).collect(Collectors.joining(", ")));
        }
        return switch (attribute.type()) {
            case BOOL -> shown.equals("true") ? reader.text("records.filter-yes") : reader.text("records.filter-no");
            case DATE -> FormValues.day(shown).map(reader::date).orElse(shown);
            case DATETIME -> shown.replace('T', ' ');
            case TEXT, MULTI_SELECT -> CellFormatter.cut(label(attribute, shown));
            case NUMERIC, JSONB -> CellFormatter.cut(shown);
        };
    }

    private static List<String> several(String shown) {
        return Arrays.stream(shown.split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private String label(SchemaAttribute attribute, String value) {
        return attribute.isPerson() ? person(value) : attribute.choice(value).label();
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
        return attribute.type() != ValueType.DATETIME || operator.takesSeveral() || operator.isRelative()
                ? value
                : FormValues.moment(value).map(reader::localText).orElse(value);
    }

    private static String input(SchemaAttribute attribute, FilterComparison operator, String shown) {
        if (operator.isRelative()) {
            return operator == FilterComparison.WITHIN ? "select" : "number";
        }
        if (operator.takesSeveral()) {
            return !attribute.options().isEmpty() || attribute.isPerson() ? "several" : "text";
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

    private List<Filter.Choice> options(SchemaAttribute attribute, FilterComparison operator, String shown) {
        if (operator.isRelative()) {
            return withShown(
                    FilterComparison.WORDS.stream()
                            .map(word -> new Filter.Choice(word, days(word)))
                            .toList(),
                    RelativeDays.isKnown(shown) ? List.of(shown) : List.of(),
                    this::days);
        }
        var values = operator.takesSeveral()
                ? several(shown)
                : shown.isEmpty() || !attribute.isPerson() ? List.<String>of() : List.of(shown);
        return withShown(options(attribute), values, value -> label(attribute, value));
    }

    /** The options, and the values that are none of them. */
    private static List<Filter.Choice> withShown(
            List<Filter.Choice> options, List<String> values, UnaryOperator<String> label) {
        var all = new ArrayList<>(options);
        values.stream()
                .filter(value -> options.stream().noneMatch(each -> each.value().equals(value)))
                .forEach(value -> all.add(new Filter.Choice(value, label.apply(value))));
        return all;
    }

    private List<Filter.Choice> options(SchemaAttribute attribute) {
        if (attribute.isPerson()) {
            var people = new ArrayList<Filter.Choice>();
            people.add(new Filter.Choice("me", reader.text("records.filter-me")));
            people.addAll(members.get());
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
