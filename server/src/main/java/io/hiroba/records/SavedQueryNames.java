package io.hiroba.records;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replaces the names of attributes in saved queries and views, and the values that they are compared with. */
public final class SavedQueryNames {

    /** The keys of a condition with others in it; values of tests are left alone, whatever they look like. */
    private static final Set<String> GROUPS = Set.of("and", "or", "not", "c");

    /** The operators that compare with several values. */
    private static final Set<String> LISTS = Set.of("in", "notIn", "not_in", "between");

    /** The operators that compare with whole values. */
    private static final Set<String> COMPARED = Set.of("eq", "ne", "in", "notIn", "equals", "not_equals", "not_in");

    /** The settings of views that are attributes. */
    private static final List<String> SETTINGS = List.of("by", "date", "title", "cover");

    private SavedQueryNames() {}

    /**
     * The query with other names.
     *
     * @param paths the new name of an attribute, or of one of a referenced record after a dot
     */
    public static ObjectNode renamed(ObjectNode query, UnaryOperator<String> paths) {
        var renamed = query.deepCopy();
        if (renamed.has("where")) {
            renamed.set("where", condition(renamed.path("where"), paths));
        }
        for (var key : renamed.path("sort")) {
            text((ObjectNode) key, "attr", paths);
        }
        if (renamed.get("select") instanceof ArrayNode select) {
            var names = JsonNodeFactory.instance.arrayNode();
            select.forEach(name -> names.add(paths.apply(name.asString(""))));
            renamed.set("select", names);
        }
        return renamed;
    }

    /** The definition of a view with other ids, wherever it has any. */
    static ObjectNode renamedView(ObjectNode definition, UnaryOperator<String> paths) {
        var renamed = definition.deepCopy();
        if (renamed.has("filter")) {
            renamed.set("filter", condition(renamed.path("filter"), paths));
        }
        renamed.path("sort").forEach(key -> text((ObjectNode) key, "attr", paths));
        var settings = renamed.path("settings");
        for (var list : List.of(renamed.path("columns"), renamed.path("sums"), settings.path("fields"))) {
            list.forEach(each -> text((ObjectNode) each, "attribute", paths));
        }
        if (renamed.path("groupBy") instanceof ObjectNode group) {
            text(group, "attribute", paths);
        }
        if (settings instanceof ObjectNode set) {
            SETTINGS.forEach(field -> text(set, field, paths));
        }
        return renamed;
    }

    /** Whether a path of a query about {@code about} leads to the attribute, perhaps behind a reference. */
    static boolean leadsTo(Schema about, String path, short schema, SchemaAttribute attribute) {
        int point = path.indexOf('.');
        if (point < 0) {
            return about.id() == schema && isCalled(attribute, path);
        }
        return isCalled(attribute, path.substring(point + 1))
                && about.attributes().stream()
                        .anyMatch(each -> isCalled(each, path.substring(0, point))
                                && each.references() != null
                                && each.references() == schema);
    }

    /** By name, as saved queries do, or by id, as views do. */
    private static boolean isCalled(SchemaAttribute attribute, String called) {
        return attribute.name().equals(called) || String.valueOf(attribute.id()).equals(called);
    }

    /** The query with other values where attributes of {@code paths} are compared. */
    static ObjectNode converted(ObjectNode query, Predicate<String> paths, UnaryOperator<JsonNode> values) {
        return convert(query, operator -> true, paths, values);
    }

    /** The query with other values where attributes of {@code paths} are compared with whole ones. */
    static ObjectNode revalued(ObjectNode query, Predicate<String> paths, Map<String, @Nullable String> values) {
        var revalued = convert(query, COMPARED::contains, paths, value -> {
            var after = value.isString() ? values.get(value.stringValue()) : null;
            return after == null ? value : JsonNodeFactory.instance.stringNode(after);
        });
        revalueOldForm(revalued.path("where"), paths, values);
        revalueOldForm(revalued.path("filter"), paths, values);
        return revalued;
    }

    /** Tests of the form {@code {a, v}} become ones of the other form where they compare with a value that is another now. */
    private static void revalueOldForm(
            JsonNode condition, Predicate<String> paths, Map<String, @Nullable String> values) {
        if (condition.isArray()) {
            condition.forEach(part -> revalueOldForm(part, paths, values));
        }
        if (!(condition instanceof ObjectNode test)) {
            return;
        }
        GROUPS.forEach(group -> revalueOldForm(test.path(group), paths, values));
        var attribute = test.path("a").asString("");
        var text = test.path("v").asString("");
        if (attribute.isEmpty() || !paths.test(attribute)) {
            return;
        }
        int colon = text.indexOf(':');
        var operator = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
        boolean isNamed = COMPARED.contains(operator);
        var operands = isNamed ? List.of(text.substring(colon + 1).split(",", -1)) : List.of(text);
        if (operands.stream().map(values::get).allMatch(Objects::isNull)) {
            return;
        }
        var after = JsonNodeFactory.instance.arrayNode();
        operands.forEach(each -> after.add(Objects.requireNonNullElse(values.get(each), each)));
        test.removeAll();
        test.put("attr", attribute).put("op", isNamed ? operator : "eq");
        test.set("value", LISTS.contains(operator) ? after : after.get(0));
    }

    private static ObjectNode convert(
            ObjectNode query, Predicate<String> operators, Predicate<String> paths, UnaryOperator<JsonNode> values) {
        var converted = query.deepCopy();
        // A saved query has its condition as `where`, a view as `filter`.
        convert(converted.path("where"), operators, paths, values);
        convert(converted.path("filter"), operators, paths, values);
        return converted;
    }

    private static void convert(
            JsonNode condition, Predicate<String> operators, Predicate<String> paths, UnaryOperator<JsonNode> values) {
        if (condition.isArray()) {
            condition.forEach(part -> convert(part, operators, paths, values));
        }
        if (!(condition instanceof ObjectNode test)) {
            return;
        }
        GROUPS.forEach(group -> convert(test.path(group), operators, paths, values));
        var operator = test.path("op").asString("eq");
        // In the other form values are texts, which are read by the type that there is.
        if (test.has("value")
                && operators.test(operator)
                && paths.test(test.path("attr").asString(""))) {
            var value = test.path("value");
            if (LISTS.contains(operator) && value.isArray()) {
                var list = JsonNodeFactory.instance.arrayNode();
                value.forEach(each -> list.add(values.apply(each)));
                test.set("value", list);
            } else {
                test.set("value", values.apply(value));
            }
        }
    }

    private static JsonNode condition(JsonNode condition, UnaryOperator<String> paths) {
        if (condition instanceof ArrayNode array) {
            var parts = JsonNodeFactory.instance.arrayNode();
            array.forEach(part -> parts.add(condition(part, paths)));
            return parts;
        }
        if (!(condition instanceof ObjectNode test)) {
            return condition;
        }
        for (var group : GROUPS) {
            if (test.has(group)) {
                test.set(group, condition(test.path(group), paths));
            }
        }
        text(test, "attr", paths);
        text(test, "a", paths);
        return test;
    }

    private static void text(ObjectNode node, String field, UnaryOperator<String> paths) {
        if (node.path(field).isString()) {
            node.put(field, paths.apply(node.path(field).stringValue()));
        }
    }
}
