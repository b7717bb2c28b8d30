package io.hiroba.records;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replaces the names of attributes, and values of theirs, in saved queries. */
public final class SavedQueryNames {

    /** The keys of a condition with others in it; values of tests are left alone, whatever they look like. */
    private static final Set<String> GROUPS = Set.of("and", "or", "not", "c");

    /** The operators that compare with whole values. */
    private static final Set<String> COMPARED = Set.of("eq", "ne", "in", "notIn");

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

    /**
     * The query with other values in its conditions.
     *
     * @param isMeant whether a path leads to the attribute whose values change
     */
    static ObjectNode revalued(ObjectNode query, Predicate<String> isMeant, Map<String, @Nullable String> values) {
        var revalued = query.deepCopy();
        revalue(revalued.path("where"), isMeant, values);
        revalue(revalued.path("filter"), isMeant, values);
        return revalued;
    }

    private static void revalue(JsonNode condition, Predicate<String> isMeant, Map<String, @Nullable String> values) {
        if (condition.isArray()) {
            condition.forEach(part -> revalue(part, isMeant, values));
        } else if (condition instanceof ObjectNode test) {
            GROUPS.forEach(group -> revalue(test.path(group), isMeant, values));
            if (isMeant.test(test.path("attr").asString(""))
                    && COMPARED.contains(test.path("op").asString("eq"))) {
                test.set("value", revalued(test.path("value"), values));
            }
        }
    }

    private static JsonNode revalued(JsonNode value, Map<String, @Nullable String> values) {
        if (value instanceof ArrayNode array) {
            var list = JsonNodeFactory.instance.arrayNode();
            array.forEach(each -> list.add(revalued(each, values)));
            return list;
        }
        var after = value.isString() ? values.get(value.stringValue()) : null;
        return after == null ? value : JsonNodeFactory.instance.stringNode(after);
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
