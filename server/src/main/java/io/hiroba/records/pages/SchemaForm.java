package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.AttributeDefinition;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaDefinition;
import io.hiroba.records.ValueType;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The input of the schema editor and its errors. */
final class SchemaForm {

    private static final List<String> PARTS =
            List.of("name", "type", "required", "unique", "default", "min", "max", "pattern", "enum", "prefixSearch");

    /** The fields whose outer spaces are kept. */
    private static final Set<String> VERBATIM = Set.of("default", "pattern", "enum");

    private static final Pattern NAMED = Pattern.compile("a(\\d{1,4})\\.name");
    private static final Pattern FAULT = Pattern.compile("attributes\\[(\\d+)](?:\\.(\\w+))?.*");

    private final Reader clock;
    private final Map<String, SchemaAttribute> known;
    private final List<AttributeRow> rows;

    private SchemaForm(Reader clock, Map<String, SchemaAttribute> known, List<AttributeRow> rows) {
        this.clock = clock;
        this.known = Map.copyOf(known);
        this.rows = List.copyOf(rows);
    }

    /** The form of a new schema. */
    static SchemaForm blank(Reader clock, int rows) {
        var blank = new ArrayList<AttributeRow>();
        for (int place = 0; place < rows; place++) {
            blank.add(AttributeRow.blank(place));
        }
        return new SchemaForm(clock, Map.of(), blank);
    }

    /** The form of an existing schema. */
    static SchemaForm of(List<SchemaAttribute> attributes, Function<Short, String> targets, Reader clock) {
        var rows = new ArrayList<AttributeRow>();
        for (var attribute : attributes) {
            rows.add(new AttributeRow(rows.size(), false, values(attribute, targets), Map.of()));
        }
        return new SchemaForm(clock, Map.of(), rows);
    }

    /**
     * Reads a submitted form; empty rows are ignored.
     *
     * @param attributes the existing attributes
     */
    static SchemaForm read(Context ctx, List<SchemaAttribute> attributes, Reader clock) {
        var known = attributes.stream().collect(Collectors.toMap(SchemaAttribute::name, Function.identity()));
        var places = new TreeSet<Integer>();
        for (var parameter : ctx.formParamMap().keySet()) {
            var named = NAMED.matcher(parameter);
            if (named.matches()) {
                places.add(Integer.parseInt(named.group(1)));
            }
        }
        var rows = new ArrayList<AttributeRow>();
        for (int place : places) {
            var values = new HashMap<String, String>();
            for (var part : PARTS) {
                var value = ctx.formParam("a" + place + "." + part);
                var text = value == null ? "" : FormValues.lines(value);
                values.put(part, VERBATIM.contains(part) ? text : text.strip());
            }
            var row = new AttributeRow(
                    rows.size(), !known.containsKey(values.getOrDefault("name", "")), values, Map.of());
            if (!row.isBlank()) {
                rows.add(row);
            }
        }
        return new SchemaForm(clock, known, rows);
    }

    /** With an empty row, for browsers without the script that adds one. */
    SchemaForm withRoom() {
        var more = new ArrayList<>(rows);
        if (more.isEmpty() || !more.getLast().isBlank()) {
            more.add(AttributeRow.blank(more.size()));
        }
        return new SchemaForm(clock, known, more);
    }

    List<AttributeRow> rows() {
        return rows;
    }

    /** @throws RecordsProblem if an attribute has fields but no name */
    SchemaDefinition definition(String name, @Nullable String aliases) {
        var nameless = rows.stream()
                .filter(row -> row.name().isEmpty())
                .map(row -> new FieldError("attributes[%d].name".formatted(row.place()), "must be given"))
                .toList();
        if (!nameless.isEmpty()) {
            throw RecordsProblem.invalid("An attribute needs a name.", nameless);
        }
        return new SchemaDefinition(
                name,
                aliases == null
                        ? null
                        : Arrays.stream(aliases.split("[,\\s]+"))
                                .filter(alias -> !alias.isEmpty())
                                .toList(),
                rows.stream().map(this::definition).toList());
    }

    /** The form with errors beside the attributes. */
    SchemaForm refused(Problem refusal) {
        var faults = new HashMap<Integer, Map<String, String>>();
        for (var fault : refusal.fields()) {
            var match = FAULT.matcher(fault.field());
            if (match.matches()) {
                var part = match.group(2) == null ? "" : match.group(2);
                faults.computeIfAbsent(Integer.parseInt(match.group(1)), row -> new LinkedHashMap<>())
                        .putIfAbsent(part, fault.message().toString());
            }
        }
        return new SchemaForm(
                clock,
                known,
                rows.stream()
                        .map(row -> row.with(faults.getOrDefault(row.place(), Map.of())))
                        .toList());
    }

    /** Whether an attribute has an error. */
    static boolean isAboutAttributes(Problem refusal) {
        return refusal.fields().stream()
                .anyMatch(fault -> FAULT.matcher(fault.field()).matches());
    }

    private AttributeDefinition definition(AttributeRow row) {
        boolean refers = row.type().startsWith("to:");
        var label = refers ? "text" : row.type();
        var type = ValueType.named(label).orElse(ValueType.TEXT);
        return new AttributeDefinition(
                row.name(),
                label,
                row.isOn("required"),
                row.isOn("unique"),
                initial(row, type),
                options(row, type),
                bound(type, row.value("min")),
                bound(type, row.value("max")),
                pattern(row),
                row.isOn("prefixSearch"),
                refers ? row.type().substring("to:".length()) : null);
    }

    private @Nullable JsonNode initial(AttributeRow row, ValueType type) {
        var typed = row.value("default");
        var attribute = known.get(row.name());
        var before = attribute == null ? null : attribute.initial();
        if (attribute != null && before != null && isSame(text(attribute, before), typed)) {
            return attribute.type().shown(before);
        }
        return value(type, typed.strip());
    }

    private @Nullable String pattern(AttributeRow row) {
        var typed = row.value("pattern");
        var attribute = known.get(row.name());
        var before = attribute == null ? null : attribute.pattern();
        if (before != null && isSame(before, typed)) {
            return before;
        }
        return typed.isBlank() ? null : typed.strip();
    }

    private @Nullable List<JsonNode> options(AttributeRow row, ValueType type) {
        var typed = row.value("enum");
        var attribute = known.get(row.name());
        var before = new HashMap<String, JsonNode>();
        if (attribute != null) {
            var options =
                    attribute.options().stream().map(attribute.type()::shown).toList();
            if (lines(attribute).strip().equals(typed.strip())) {
                return options.isEmpty() ? null : options;
            }
            for (var option : attribute.options()) {
                before.putIfAbsent(
                        text(attribute, option).strip(), attribute.type().shown(option));
            }
        }
        var options = Arrays.stream(typed.split("\n"))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> before.getOrDefault(line, option(type, line)))
                .toList();
        return options.isEmpty() ? null : options;
    }

    /** Whether a text differs only in line breaks and outer spaces, which an input does not keep. */
    private static boolean isSame(String before, String typed) {
        return before.isEmpty() == typed.isEmpty()
                && before.replaceAll("[\r\n]", "")
                        .strip()
                        .equals(typed.replaceAll("[\r\n]", "").strip());
    }

    /** The bounds of a text are lengths. */
    private @Nullable JsonNode bound(ValueType type, String typed) {
        if (type == ValueType.TEXT && typed.matches("\\d{1,9}")) {
            return JsonNodeFactory.instance.numberNode(Integer.parseInt(typed));
        }
        return value(type, typed);
    }

    private @Nullable JsonNode value(ValueType type, String typed) {
        return typed.isEmpty() ? null : option(type, typed);
    }

    /** A value that does not fit the type is passed on as text, for the definition reader to refuse. */
    private JsonNode option(ValueType type, String typed) {
        try {
            return FormValues.json(type, typed, clock);
        } catch (InvalidValueException e) {
            return JsonNodeFactory.instance.stringNode(typed);
        }
    }

    private static Map<String, String> values(SchemaAttribute attribute, Function<Short, String> targets) {
        var values = new HashMap<String, String>();
        var target = attribute.references();
        values.put("name", attribute.name());
        values.put("type", target == null ? attribute.type().label() : "to:" + targets.apply(target));
        values.put("required", attribute.required() ? "true" : "");
        values.put("unique", attribute.unique() ? "true" : "");
        values.put("prefixSearch", attribute.prefixSearch() ? "true" : "");
        var pattern = attribute.pattern();
        values.put("pattern", pattern == null ? "" : pattern);
        values.put("default", text(attribute, attribute.initial()));
        values.put("min", bound(attribute, attribute.min()));
        values.put("max", bound(attribute, attribute.max()));
        values.put("enum", lines(attribute));
        return values;
    }

    private static String lines(SchemaAttribute attribute) {
        return attribute.options().stream()
                .map(option -> text(attribute, option))
                .collect(Collectors.joining("\n"));
    }

    private static String bound(SchemaAttribute attribute, @Nullable JsonNode bound) {
        return bound != null && attribute.type() == ValueType.TEXT
                ? new BigDecimal(bound.asString()).toPlainString()
                : text(attribute, bound);
    }

    /** Timestamps in the format of the API, so that the form keeps their precision. */
    private static String text(SchemaAttribute attribute, @Nullable JsonNode stored) {
        if (stored == null || stored.isNull()) {
            return "";
        }
        var shown = attribute.type().shown(stored);
        return switch (attribute.type()) {
            case TEXT, DATE, BOOL -> shown.asString();
            case NUMERIC -> FormValues.number(shown);
            case JSONB -> shown.toString();
        };
    }
}
