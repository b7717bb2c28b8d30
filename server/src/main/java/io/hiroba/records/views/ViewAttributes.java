package io.hiroba.records.views;

import io.hiroba.platform.problem.Problem;
import io.hiroba.records.AccessRules;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.query.ConditionParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The attributes that a view can name, as one reader may read them. */
final class ViewAttributes {

    /** The order of creation, unless an attribute is called so. */
    static final String CREATED = "createdAt";

    private static final List<String> GROUPS = List.of("and", "or", "c");
    private static final Set<String> NAMES = Set.of("attr", "a");

    private final ProjectAccess access;
    private final Schema schema;
    private final SchemaCatalog catalog;

    ViewAttributes(ProjectAccess access, Schema schema, SchemaCatalog catalog) {
        this.access = access;
        this.schema = schema;
        this.catalog = catalog;
    }

    RecordAccess recordAccess() {
        return recordAccess(schema);
    }

    private RecordAccess recordAccess(Schema of) {
        AccessRules rules = of.binding(access.role());
        return new RecordAccess(of, rules, access.user(), null);
    }

    Optional<SchemaAttribute> find(@Nullable String called) {
        return called == null ? Optional.empty() : recordAccess().attribute(called);
    }

    /** A path of ids, such as {@code 15} or {@code 15.10} behind a reference; empty if it leads nowhere. */
    Optional<String> ids(String path) {
        return path.equals(CREATED) && find(CREATED).isEmpty()
                ? Optional.of(path)
                : path(path, each -> String.valueOf(each.id()));
    }

    /** The path with the names of now. */
    Optional<String> names(String path) {
        return path.equals(CREATED) && find(CREATED).isEmpty() ? Optional.of(path) : path(path, SchemaAttribute::name);
    }

    private Optional<String> path(String path, Function<SchemaAttribute, String> called) {
        int point = path.indexOf('.');
        return point < 0
                ? find(path).map(called)
                : find(path.substring(0, point))
                        .flatMap(reference ->
                                target(path).map(each -> called.apply(reference) + "." + called.apply(each)));
    }

    /** The attribute that a path leads to. */
    private Optional<SchemaAttribute> target(String path) {
        int point = path.indexOf('.');
        return point < 0
                ? find(path)
                : find(path.substring(0, point))
                        .map(SchemaAttribute::references)
                        .flatMap(target -> recordAccess(catalog.cached(access.tables(), target))
                                .attribute(path.substring(point + 1))
                                // A change of its type, perhaps on another node, has given it another id.
                                .or(() -> recordAccess(catalog.refreshed(access.tables(), String.valueOf(target)))
                                        .attribute(path.substring(point + 1))));
    }

    /** Whether a comparison is of what the reader sees, and makes sense of its type. */
    boolean holds(JsonNode test) {
        if (names(path(test)).isEmpty()) {
            return false;
        }
        try {
            requireSuits(test);
            return true;
        } catch (Problem _) {
            return false;
        }
    }

    /** Refuses a comparison that makes no sense of the type that there is; one of what is gone stays. */
    void requireSuits(JsonNode test) {
        target(path(test)).ifPresent(attribute -> ConditionParser.requireSuits(attribute, test));
    }

    /** The comparisons of a condition. */
    static List<JsonNode> tests(@Nullable JsonNode condition) {
        var tests = new ArrayList<JsonNode>();
        collect(condition, tests);
        return tests;
    }

    /** The conditions that must all hold. */
    static List<JsonNode> parts(@Nullable JsonNode condition) {
        if (condition == null) {
            return List.of();
        }
        var all = condition.has("and")
                ? condition.path("and")
                : condition.has("c") && condition.path("l").asString("and").equals("and") ? condition.path("c") : null;
        return all == null
                ? List.of(condition)
                : all.valueStream().flatMap(each -> parts(each).stream()).toList();
    }

    /** The attribute that a comparison names. */
    static String path(JsonNode test) {
        return test.path(test.path("attr").isString() ? "attr" : "a").asString("");
    }

    /** The paths of a condition. */
    static List<String> paths(@Nullable JsonNode condition) {
        return tests(condition).stream().map(ViewAttributes::path).toList();
    }

    private static boolean isTest(JsonNode condition) {
        return NAMES.stream().anyMatch(name -> condition.path(name).isString());
    }

    private static void collect(@Nullable JsonNode condition, List<JsonNode> tests) {
        if (condition == null) {
            return;
        }
        if (isTest(condition)) {
            tests.add(condition);
        }
        GROUPS.forEach(group -> condition.path(group).forEach(part -> collect(part, tests)));
        if (condition.has("not")) {
            collect(condition.path("not"), tests);
        }
    }

    /** The condition without its comparisons that are not {@code kept}; null if nothing is left. */
    static @Nullable JsonNode pruned(@Nullable JsonNode condition, Predicate<JsonNode> kept) {
        if (!(condition instanceof ObjectNode object)) {
            return condition;
        }
        if (isTest(object) && !kept.test(object)) {
            return null;
        }
        var pruned = object.deepCopy();
        for (var group : GROUPS) {
            if (object.get(group) instanceof ArrayNode parts) {
                var left = JsonNodeFactory.instance.arrayNode();
                for (var part : parts) {
                    var rest = pruned(part, kept);
                    if (rest != null) {
                        left.add(rest);
                    }
                }
                if (left.isEmpty()) {
                    return null;
                }
                pruned.set(group, left);
            }
        }
        if (object.has("not")) {
            var rest = pruned(object.path("not"), kept);
            if (rest == null) {
                return null;
            }
            pruned.set("not", rest);
        }
        return pruned;
    }
}
