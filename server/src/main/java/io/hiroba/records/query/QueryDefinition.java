package io.hiroba.records.query;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SavedQueryNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definition of a saved query. A value of its condition may be {@code {"caller": "id"}}, or {@code nickname} or
 * {@code email}: a property of the caller who runs it.
 */
public record QueryDefinition(
        String schema,
        @Nullable JsonNode where,
        @Nullable List<Key> sort,
        @Nullable List<String> select) {

    private static final String CALLER = "caller";

    public QueryDefinition {
        where = where == null || where.isNull() ? null : where;
    }

    /** A sort key. */
    public record Key(
            String attr, @Nullable String dir, @Nullable String nulls) {

        RecordSort sort() {
            return new RecordSort(attr, is("dir", dir, "asc", "desc"), is("nulls", nulls, "last", "first"));
        }

        private static boolean is(String field, @Nullable String given, String no, String yes) {
            if (given != null && !given.equals(no) && !given.equals(yes)) {
                throw RecordsProblem.invalid(
                        "query.sort." + field, Text.of("records.query.either", "one", no, "other", yes));
            }
            return yes.equals(given);
        }
    }

    /** The attributes that it names. */
    Set<String> paths() {
        var paths = new HashSet<String>();
        SavedQueryNames.renamed((ObjectNode) Json.exact().valueToTree(this), path -> {
            paths.add(path);
            return path;
        });
        return paths;
    }

    QueryDefinition ofSchemaOnly() {
        return new QueryDefinition(schema, null, null, null);
    }

    /** @param traits resolves the properties of the caller */
    RecordQuery query(Function<String, String> traits) {
        return RecordQuery.all(schema)
                .where(condition(traits))
                .sortedBy(
                        sort == null
                                ? new RecordSort[0]
                                : sort.stream().map(Key::sort).toArray(RecordSort[]::new))
                .selecting(select);
    }

    @Nullable
    Condition condition(Function<String, String> traits) {
        return where == null ? null : ConditionParser.condition(filled(where, traits));
    }

    private static JsonNode filled(JsonNode node, Function<String, String> traits) {
        if (node.isObject() && node.size() == 1 && node.path(CALLER).isString()) {
            return JsonNodeFactory.instance.stringNode(
                    traits.apply(node.path(CALLER).stringValue()));
        }
        if (node.isArray()) {
            var list = JsonNodeFactory.instance.arrayNode();
            node.forEach(part -> list.add(filled(part, traits)));
            return list;
        }
        if (node.isObject()) {
            var object = JsonNodeFactory.instance.objectNode();
            node.properties().forEach(part -> object.set(part.getKey(), filled(part.getValue(), traits)));
            return object;
        }
        return node;
    }
}
