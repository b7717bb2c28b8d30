package io.hiroba.records;

import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replaces the names of attributes in saved queries. */
public final class SavedQueryNames {

    /** The keys of a condition with others in it; values of tests are left alone, whatever they look like. */
    private static final Set<String> GROUPS = Set.of("and", "or", "not", "c");

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
