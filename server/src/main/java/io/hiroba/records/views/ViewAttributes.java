package io.hiroba.records.views;

import io.hiroba.records.AccessRules;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
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
        AccessRules rules = of.rules().binding(access.role());
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
        if (point < 0) {
            return find(path).map(called);
        }
        return find(path.substring(0, point)).flatMap(reference -> {
            var target = reference.references();
            return target == null
                    ? Optional.empty()
                    : recordAccess(catalog.cached(access.tables(), target))
                            .attribute(path.substring(point + 1))
                            .map(each -> called.apply(reference) + "." + called.apply(each));
        });
    }

    /** The paths of a condition. */
    static List<String> paths(@Nullable JsonNode condition) {
        var paths = new ArrayList<String>();
        collect(condition, paths);
        return paths;
    }

    private static void collect(@Nullable JsonNode condition, List<String> paths) {
        if (condition == null) {
            return;
        }
        NAMES.stream().map(condition::path).filter(JsonNode::isString).forEach(name -> paths.add(name.stringValue()));
        GROUPS.forEach(group -> condition.path(group).forEach(part -> collect(part, paths)));
        if (condition.has("not")) {
            collect(condition.path("not"), paths);
        }
    }

    /** The condition without its comparisons of paths that are not {@code known}; null if nothing is left. */
    static @Nullable JsonNode pruned(@Nullable JsonNode condition, Predicate<String> known) {
        if (!(condition instanceof ObjectNode object)) {
            return condition;
        }
        for (var name : NAMES) {
            if (object.path(name).isString() && !known.test(object.path(name).stringValue())) {
                return null;
            }
        }
        var pruned = object.deepCopy();
        for (var group : GROUPS) {
            if (object.get(group) instanceof ArrayNode parts) {
                var left = JsonNodeFactory.instance.arrayNode();
                for (var part : parts) {
                    var rest = pruned(part, known);
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
            var rest = pruned(object.path("not"), known);
            if (rest == null) {
                return null;
            }
            pruned.set("not", rest);
        }
        return pruned;
    }
}
