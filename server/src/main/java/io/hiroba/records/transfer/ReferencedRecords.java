package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordNames;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the records that files refer to: by id, by the value of a unique attribute, or by their first text if one record that the importer
 * may read has it.
 */
final class ReferencedRecords {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final SchemaCatalog catalog;
    private final AccessResolver accessResolver;
    private final RecordNames names = new RecordNames();

    ReferencedRecords(SchemaCatalog catalog, AccessResolver accessResolver) {
        this.catalog = catalog;
        this.accessResolver = accessResolver;
    }

    /** The records in the lines of a chunk. */
    Found of(Tx tx, ProjectAccess access, List<SchemaAttribute> attributes) {
        return found(
                attributes,
                target -> accessResolver.of(tx, access, catalog.current(tx, access.tables(), target)),
                (target, wanted) -> names.called(tx, access.tables(), target, wanted),
                Integer.MAX_VALUE);
    }

    /**
     * The records in lines that are read outside a transaction.
     *
     * @param most how many names are looked up
     */
    Found of(Db db, ProjectAccess access, List<SchemaAttribute> attributes, int most) {
        return found(
                attributes,
                target -> {
                    var schema = catalog.refreshed(access.tables(), String.valueOf(target));
                    return db.read(reads -> accessResolver.of(reads, access, schema));
                },
                (target, wanted) -> db.read(reads -> names.called(reads, access.tables(), target, wanted)),
                most);
    }

    private static Found found(List<SchemaAttribute> attributes, Targets targets, Called called, int most) {
        var references =
                attributes.stream().filter(each -> each.references() != null).toList();
        var known = new HashMap<Short, RecordAccess>();
        references.forEach(each -> known.computeIfAbsent(Objects.requireNonNull(each.references()), targets::of));
        return new Found(references, known, called, most);
    }

    /** The schemas that are referred to, as the importer may read them. */
    @FunctionalInterface
    private interface Targets {

        RecordAccess of(short target);
    }

    /** The records of a schema by their names. */
    @FunctionalInterface
    private interface Called {

        Map<String, Set<RowId>> of(RecordAccess target, Collection<String> names);
    }

    /** Each name is looked up once. */
    static final class Found {

        private final List<SchemaAttribute> references;
        private final Map<Short, RecordAccess> targets;
        private final Called called;
        private final int most;
        private final Map<Key, Set<RowId>> known = new HashMap<>();
        private final Set<String> open = new HashSet<>();

        private record Key(short target, String name) {}

        private Found(List<SchemaAttribute> references, Map<Short, RecordAccess> targets, Called called, int most) {
            this.references = references;
            this.targets = targets;
            this.called = called;
            this.most = most;
        }

        /** Looks the names in {@code lines} up together, instead of each when its line is resolved. */
        void lookUp(List<ObjectNode> lines) {
            var wanted = new HashMap<Short, Set<String>>();
            for (var values : lines) {
                for (var reference : references) {
                    var value = values.path(reference.name());
                    var each = value.isArray() ? value.valueStream() : Stream.of(value);
                    each.filter(JsonNode::isString)
                            .map(Found::name)
                            .filter(name -> RowId.find(name).isEmpty())
                            .forEach(name -> wanted.computeIfAbsent(target(reference), any -> new HashSet<>())
                                    .add(name));
                }
            }
            wanted.forEach((target, names) -> {
                var found = called.of(Objects.requireNonNull(targets.get(target)), names);
                names.forEach(name -> known.put(new Key(target, name), found.getOrDefault(name, Set.of())));
            });
        }

        private static short target(SchemaAttribute reference) {
            return Objects.requireNonNull(reference.references());
        }

        private static String name(JsonNode value) {
            return value.stringValue().strip();
        }

        /** Replaces names by ids, but one that is not looked up stays; false if one is of no record or of several, which is noted. */
        boolean resolve(long line, ObjectNode values, List<LineError> errors) {
            int before = errors.size();
            open.clear();
            for (var reference : references) {
                var value = values.get(reference.name());
                if (value != null && value.isString()) {
                    resolved(line, reference, value, errors).ifPresent(id -> values.set(reference.name(), id));
                } else if (value != null && value.isArray()) {
                    var list = JSON.arrayNode();
                    value.forEach(each -> list.add(
                            each.isString()
                                    ? resolved(line, reference, each, errors).orElse(each)
                                    : each));
                    values.set(reference.name(), list);
                }
            }
            return errors.size() == before;
        }

        /** The attributes with names that were not looked up, of the values that were resolved last. */
        Set<String> open() {
            return open;
        }

        private Optional<JsonNode> resolved(
                long line, SchemaAttribute reference, JsonNode value, List<LineError> errors) {
            var name = name(value);
            if (RowId.find(name).isPresent()) {
                return Optional.of(value);
            }
            var target = Objects.requireNonNull(targets.get(target(reference)));
            var key = new Key(target.schema().id(), name);
            if (known.size() >= most && !known.containsKey(key)) {
                open.add(reference.name());
                return Optional.of(value);
            }
            var rows = known.computeIfAbsent(
                    key, any -> called.of(target, List.of(name)).getOrDefault(name, Set.of()));
            if (rows.size() == 1) {
                return Optional.of(JSON.stringNode(rows.iterator().next().toString()));
            }
            var schema = target.schema().name();
            errors.add(new LineError(
                    line,
                    reference.name(),
                    rows.isEmpty()
                            ? Text.of("records.transfer.no-record", "name", name, "schema", schema)
                            : Text.of("records.transfer.several-records", "name", name, "schema", schema)));
            return Optional.empty();
        }
    }
}
