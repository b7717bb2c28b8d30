package io.hiroba.records.pages;

import io.hiroba.platform.problem.Problem;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.AttributeDefinition;
import io.hiroba.records.schema.BadValue;
import io.hiroba.records.schema.SchemaDefinition;
import io.hiroba.records.schema.ValueType;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The editor of a schema: what was typed, as a definition, and what is wrong with which attribute. */
final class SchemaForm {

    private static final List<String> PARTS =
            List.of("name", "type", "required", "unique", "default", "min", "max", "pattern", "enum", "prefixSearch");
    private static final Pattern NAMED = Pattern.compile("a(\\d{1,4})\\.name");
    private static final Pattern FAULT = Pattern.compile("attributes\\[(\\d+)](?:\\.(\\w+))?.*");

    private final LocalMoments moments;
    private final List<AttributeRow> rows;

    private SchemaForm(LocalMoments moments, List<AttributeRow> rows) {
        this.moments = moments;
        this.rows = List.copyOf(rows);
    }

    /** Room for a new schema. */
    static SchemaForm blank(LocalMoments moments, int rows) {
        var blank = new ArrayList<AttributeRow>();
        for (int place = 0; place < rows; place++) {
            blank.add(AttributeRow.blank(place));
        }
        return new SchemaForm(moments, blank);
    }

    /** A schema as it is, as far as it is shown. */
    static SchemaForm of(List<Attribute> attributes, Function<Short, String> targets, LocalMoments moments) {
        var form = new SchemaForm(moments, List.of());
        var rows = new ArrayList<AttributeRow>();
        for (var attribute : attributes) {
            rows.add(new AttributeRow(rows.size(), false, form.values(attribute, targets), Map.of()));
        }
        return new SchemaForm(moments, rows);
    }

    /** What a form was sent with; lines without a name are not meant. */
    static SchemaForm read(Context ctx, Predicate<String> isNew, LocalMoments moments) {
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
                values.put(part, value == null ? "" : Typed.lines(value).strip());
            }
            var name = values.getOrDefault("name", "");
            if (!name.isEmpty()) {
                rows.add(new AttributeRow(rows.size(), isNew.test(name), values, Map.of()));
            }
        }
        return new SchemaForm(moments, rows);
    }

    List<AttributeRow> rows() {
        return rows;
    }

    SchemaDefinition definition(String name, @Nullable String aliases) {
        return new SchemaDefinition(
                name,
                aliases == null
                        ? null
                        : Arrays.stream(aliases.split("[,\\s]+"))
                                .filter(alias -> !alias.isEmpty())
                                .toList(),
                rows.stream().map(this::definition).toList());
    }

    /** The form with what is wrong beside the attributes at fault. */
    SchemaForm refused(Problem refusal) {
        var faults = new HashMap<Integer, Map<String, String>>();
        for (var fault : refusal.fields()) {
            var match = FAULT.matcher(fault.field());
            if (match.matches()) {
                var part = match.group(2) == null ? "" : match.group(2);
                faults.computeIfAbsent(Integer.parseInt(match.group(1)), row -> new LinkedHashMap<>())
                        .putIfAbsent(part, fault.message());
            }
        }
        return new SchemaForm(
                moments,
                rows.stream()
                        .map(row -> row.with(faults.getOrDefault(row.place(), Map.of())))
                        .toList());
    }

    /** Whether what is wrong is wrong with an attribute. */
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
                value(type, row.value("default")),
                row.isOn("enum")
                        ? Arrays.stream(row.value("enum").split("\n"))
                                .map(String::strip)
                                .filter(line -> !line.isEmpty())
                                .map(line -> option(type, line))
                                .toList()
                        : null,
                bound(type, row.value("min")),
                bound(type, row.value("max")),
                row.isOn("pattern") ? row.value("pattern") : null,
                row.isOn("prefixSearch"),
                refers ? row.type().substring("to:".length()) : null);
    }

    /** Of a text the bounds are numbers of characters. */
    private @Nullable JsonNode bound(ValueType type, String typed) {
        if (type == ValueType.TEXT && typed.matches("\\d{1,9}")) {
            return JsonNodeFactory.instance.numberNode(Integer.parseInt(typed));
        }
        return value(type, typed);
    }

    private @Nullable JsonNode value(ValueType type, String typed) {
        return typed.isEmpty() ? null : option(type, typed);
    }

    /** What is no value of the type goes on as a text, for the schemas to refuse. */
    private JsonNode option(ValueType type, String typed) {
        try {
            return Typed.json(type, typed, moments);
        } catch (BadValue e) {
            return JsonNodeFactory.instance.stringNode(typed);
        }
    }

    private Map<String, String> values(Attribute attribute, Function<Short, String> targets) {
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
        values.put(
                "enum",
                String.join(
                        "\n",
                        attribute.options().stream()
                                .map(option -> text(attribute, option))
                                .toList()));
        return values;
    }

    private static String bound(Attribute attribute, @Nullable JsonNode bound) {
        return bound != null && attribute.type() == ValueType.TEXT
                ? new BigDecimal(bound.asString()).toPlainString()
                : text(attribute, bound);
    }

    /** Moments as they are written everywhere, so that nothing is lost on the way through the form. */
    private static String text(Attribute attribute, @Nullable JsonNode stored) {
        if (stored == null || stored.isNull()) {
            return "";
        }
        var shown = attribute.type().shown(stored);
        return switch (attribute.type()) {
            case TEXT, DATE, BOOL -> shown.asString();
            case NUMERIC -> Typed.number(shown);
            case JSONB -> shown.toString();
        };
    }
}
