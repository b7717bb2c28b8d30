package io.hiroba.records.pages;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.AttributeDefinition;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaDefinition;
import io.hiroba.records.ValueFormat;
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

    private static final List<String> PARTS = List.of(
            "name",
            "type",
            "required",
            "unique",
            "default",
            "min",
            "max",
            "pattern",
            "enum",
            "prefixSearch",
            "currency",
            "formula",
            "result",
            "lookup",
            "rollup",
            "function",
            "count");

    /** The fields whose outer spaces are kept. */
    private static final Set<String> VERBATIM = Set.of("default", "pattern", "enum", "formula");

    private static final Pattern NAMED = Pattern.compile("a(\\d{1,4})\\.name");
    private static final Pattern FAULT = Pattern.compile("attributes\\[(\\d+)](?:\\.(\\w+))?.*");

    private final Reader reader;
    private final Map<String, SchemaAttribute> known;
    private final ComputedChoices computed;
    private final List<AttributeRow> rows;

    private SchemaForm(
            Reader reader, Map<String, SchemaAttribute> known, ComputedChoices computed, List<AttributeRow> rows) {
        this.reader = reader;
        this.known = Map.copyOf(known);
        this.computed = computed;
        this.rows = List.copyOf(rows);
    }

    /** The form of a new schema. */
    static SchemaForm blank(Reader reader, int rows) {
        var blank = new ArrayList<AttributeRow>();
        for (int place = 0; place < rows; place++) {
            blank.add(AttributeRow.blank(place));
        }
        return new SchemaForm(reader, Map.of(), ComputedChoices.NONE, blank);
    }

    /** The form of an existing schema. */
    static SchemaForm of(
            List<SchemaAttribute> attributes,
            Function<Short, String> targets,
            ComputedChoices computed,
            Reader reader) {
        var rows = new ArrayList<AttributeRow>();
        for (var attribute : attributes) {
            var values = values(attribute, targets, reader);
            values.putAll(computed.values(attribute.name()));
            rows.add(new AttributeRow(rows.size(), false, values, Map.of()));
        }
        return new SchemaForm(reader, Map.of(), computed, rows);
    }

    /**
     * Reads a submitted form; empty rows are ignored.
     *
     * @param attributes the existing attributes
     */
    static SchemaForm read(Context ctx, List<SchemaAttribute> attributes, ComputedChoices computed, Reader reader) {
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
            values.putAll(computed.values(values.getOrDefault("name", "")));
            var row = new AttributeRow(
                    rows.size(), !known.containsKey(values.getOrDefault("name", "")), values, Map.of());
            if (!row.isBlank()) {
                rows.add(row);
            }
        }
        return new SchemaForm(reader, known, computed, rows);
    }

    /** With an empty row, for browsers without the script that adds one. */
    SchemaForm withRoom() {
        var more = new ArrayList<>(rows);
        if (more.isEmpty() || !more.getLast().isBlank()) {
            more.add(AttributeRow.blank(more.size()));
        }
        return new SchemaForm(reader, known, computed, more);
    }

    List<AttributeRow> rows() {
        return rows;
    }

    /** @throws HttpProblem if an attribute has fields but no name */
    SchemaDefinition definition(String name, @Nullable String aliases) {
        var nameless = rows.stream()
                .filter(row -> row.name().isEmpty())
                .map(row ->
                        new FieldError("attributes[%d].name".formatted(row.place()), Text.of("records.must-be-given")))
                .toList();
        if (!nameless.isEmpty()) {
            throw HttpProblem.invalid(nameless);
        }
        var incomplete = rows.stream()
                .filter(SchemaForm::isIncomplete)
                .map(row -> new FieldError(
                        "attributes[%d].computed".formatted(row.place()), Text.of("records.must-be-given")))
                .toList();
        if (!incomplete.isEmpty()) {
            throw HttpProblem.invalid(incomplete);
        }
        return new SchemaDefinition(
                name,
                aliases == null
                        ? null
                        : Arrays.stream(aliases.split("[,、，\\n]+"))
                                .map(String::strip)
                                .filter(alias -> !alias.isEmpty())
                                .toList(),
                rows.stream().map(this::definition).toList());
    }

    /** The form with errors beside the attributes. */
    SchemaForm refused(Problem refusal) {
        var faults = new HashMap<Integer, Map<String, Text>>();
        for (var fault : refusal.fields()) {
            var match = FAULT.matcher(fault.field());
            if (match.matches()) {
                var part = match.group(2) == null ? "" : match.group(2);
                faults.computeIfAbsent(Integer.parseInt(match.group(1)), row -> new LinkedHashMap<>())
                        .putIfAbsent(part, fault.message());
            }
        }
        return new SchemaForm(
                reader,
                known,
                computed,
                rows.stream()
                        .map(row -> row.with(faults.getOrDefault(row.place(), Map.of())))
                        .toList());
    }

    /** Whether an attribute has an error. */
    static boolean isAboutAttributes(Problem refusal) {
        return refusal.fields().stream()
                .anyMatch(fault -> FAULT.matcher(fault.field()).matches());
    }

    private static boolean isIncomplete(AttributeRow row) {
        var kind = row.computed();
        return row.isNew()
                && kind != null
                && ComputedFields.definition(kind, row.values()).isEmpty();
    }

    private AttributeDefinition definition(AttributeRow row) {
        var there = known.get(row.name());
        var kept = computed.defined().get(row.name());
        if (there != null && kept != null) {
            return AttributeDefinition.ofComputed(there, kept);
        }
        var kind = row.computed();
        if (kind != null) {
            return AttributeDefinition.ofComputed(
                    row.name(),
                    kind == ComputedFields.Kind.FORMULA && row.isOn("result") ? row.value("result") : null,
                    ComputedFields.definition(kind, row.values()).orElseThrow());
        }
        boolean many = row.type().startsWith(AttributeRow.MANY);
        var typed = many ? row.type().substring(AttributeRow.MANY.length()) : row.type();
        boolean refers = typed.startsWith("to:");
        int point = typed.indexOf('.');
        var label = refers ? "text" : point < 0 ? typed : typed.substring(0, point);
        var type = many ? ValueType.MULTI_SELECT : ValueType.named(label).orElse(ValueType.TEXT);
        return new AttributeDefinition(
                row.name(),
                label,
                row.isOn("required"),
                row.isOn("unique"),
                initial(row, type),
                options(row, type),
                bound(row, type, "min"),
                bound(row, type, "max"),
                pattern(row),
                row.isOn("prefixSearch"),
                refers ? typed.substring("to:".length()) : null,
                null,
                refers || point < 0 ? null : typed.substring(point + 1),
                row.isOn("currency") ? row.value("currency") : null,
                null,
                many);
    }

    private @Nullable JsonNode initial(AttributeRow row, ValueType type) {
        var typed = row.value("default");
        var attribute = known.get(row.name());
        var before = attribute == null ? null : attribute.initial();
        if (attribute != null && before != null && isSame(text(attribute, before, reader), typed)) {
            return attribute.type().shown(before);
        }
        return value(
                row,
                type,
                type == ValueType.MULTI_SELECT ? typed.strip().replaceAll("\\s*[,、，]\\s*", "\n") : typed.strip());
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
            if (lines(attribute, reader).strip().equals(typed.strip())) {
                return options.isEmpty() ? null : options;
            }
            for (var option : attribute.options()) {
                before.putIfAbsent(
                        text(attribute, option, reader).strip(),
                        attribute.type().shown(option));
            }
        }
        var options = Arrays.stream(typed.split("\n"))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> before.getOrDefault(line, option(row, type.element(), line)))
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

    /** The bounds of a text are lengths. A local time that is there twice keeps its meaning. */
    private @Nullable JsonNode bound(AttributeRow row, ValueType type, String part) {
        var typed = row.value(part);
        var attribute = known.get(row.name());
        if (attribute != null) {
            var before = part.equals("min") ? attribute.min() : attribute.max();
            if (before != null && typed.equals(bound(attribute, before, reader))) {
                return attribute.type().shown(before);
            }
        }
        if (type == ValueType.TEXT && typed.matches("\\d{1,9}")) {
            return JsonNodeFactory.instance.numberNode(Integer.parseInt(typed));
        }
        return value(row, type, typed);
    }

    private @Nullable JsonNode value(AttributeRow row, ValueType type, String typed) {
        return typed.isEmpty() ? null : option(row, type, typed);
    }

    /** A value that does not fit the type is passed on as text, for the definition reader to refuse. */
    private JsonNode option(AttributeRow row, ValueType type, String typed) {
        try {
            var plain = type == ValueType.NUMERIC
                    ? row.format()
                            .map(kind -> new ValueFormat(kind, row.value("currency")).plain(typed))
                            .orElse(typed)
                    : typed;
            return FormValues.json(row.name(), type, plain, reader);
        } catch (RecordsProblem refusal) {
            return JsonNodeFactory.instance.stringNode(typed);
        }
    }

    private static Map<String, String> values(
            SchemaAttribute attribute, Function<Short, String> targets, Reader reader) {
        var values = new HashMap<String, String>();
        var target = attribute.references();
        values.put("name", attribute.name());
        values.put("id", String.valueOf(attribute.id()));
        var format = attribute.format();
        values.put(
                "type",
                (attribute.isMany() ? AttributeRow.MANY : "")
                        + (target != null
                                ? "to:" + targets.apply(target)
                                : (attribute.isMany() ? ValueType.TEXT : attribute.type()).label()
                                        + (format == null
                                                ? ""
                                                : "." + format.kind().label())));
        values.put("currency", format == null || format.currency() == null ? "" : format.currency());
        values.put("required", attribute.required() ? "true" : "");
        values.put("unique", attribute.unique() ? "true" : "");
        values.put("prefixSearch", attribute.prefixSearch() ? "true" : "");
        var pattern = attribute.pattern();
        values.put("pattern", pattern == null ? "" : pattern);
        values.put("default", text(attribute, attribute.initial(), reader));
        values.put("min", bound(attribute, attribute.min(), reader));
        values.put("max", bound(attribute, attribute.max(), reader));
        values.put("enum", lines(attribute, reader));
        return values;
    }

    private static String lines(SchemaAttribute attribute, Reader reader) {
        return attribute.options().stream()
                .map(option -> text(attribute, option, reader))
                .collect(Collectors.joining("\n"));
    }

    private static String bound(SchemaAttribute attribute, @Nullable JsonNode bound, Reader reader) {
        return bound != null && attribute.type() == ValueType.TEXT
                ? new BigDecimal(bound.asString()).toPlainString()
                : text(attribute, bound, reader);
    }

    /** As in the form of a record, but JSON in one line. */
    private static String text(SchemaAttribute attribute, @Nullable JsonNode stored, Reader reader) {
        if (stored == null || stored.isNull()) {
            return "";
        }
        var shown = attribute.type().shown(stored);
        if (attribute.isList()) {
            return stored.isArray()
                    ? FormValues.text(attribute, stored, reader).replace("\n", ", ")
                    : stored.stringValue();
        }
        return attribute.type() == ValueType.JSONB ? shown.toString() : FormValues.text(attribute, shown, reader);
    }
}
