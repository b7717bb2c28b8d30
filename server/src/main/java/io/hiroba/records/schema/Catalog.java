package io.hiroba.records.schema;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectId;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Tables;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schemas as this node knows them. What it knows may be old: a write asks for {@link #current}, and a query compares
 * the version in the statement itself and calls {@link #renewed} when it was an old one.
 */
public final class Catalog {

    private static final int MOST_KNOWN = 10_000;

    private final Db db;
    private final SchemaStore store = new SchemaStore();
    private final Map<Name, Schema> known = new ConcurrentHashMap<>();

    private record Name(ProjectId project, String schema) {}

    public Catalog(Db db) {
        this.db = db;
    }

    /** The schema of that name or alias, as it is or was. */
    public Schema known(Tables tables, String name) {
        var schema = known.get(new Name(tables.project(), name));
        return schema == null ? renewed(tables, name) : schema;
    }

    /** As it is. */
    public Schema renewed(Tables tables, String name) {
        var schema = db.read(reads -> store.find(reads, tables, name)).orElseThrow(() -> RecordsProblem.noSchema(name));
        remember(tables, name, schema);
        return schema;
    }

    /** As it is and stays until {@code tx} ends. */
    public Schema current(Tx tx, Tables tables, String name) {
        var guess = known.get(new Name(tables.project(), name));
        if (guess != null && store.holdVersion(tx, tables, guess.id()) == guess.version()) {
            return guess;
        }
        var id = store.find(tx, tables, name)
                .orElseThrow(() -> RecordsProblem.noSchema(name))
                .id();
        store.holdVersion(tx, tables, id);
        var schema = store.find(tx, tables, name).orElseThrow(() -> RecordsProblem.noSchema(name));
        remember(tables, name, schema);
        return schema;
    }

    /** As {@link #current(Tx, Tables, String)}, by its id, as references hold it. */
    public Schema current(Tx tx, Tables tables, short id) {
        var guess = guess(tables, id);
        int version = store.holdVersion(tx, tables, id);
        if (guess.isPresent() && guess.get().version() == version) {
            return guess.get();
        }
        var schema = store.find(tx, tables, id).orElseThrow(() -> RecordsProblem.noSchema(String.valueOf(id)));
        forget(tables);
        remember(tables, schema.name(), schema);
        return schema;
    }

    /** By its id, as references hold it. */
    public Schema known(Tables tables, short id) {
        return guess(tables, id).orElseGet(() -> {
            var schema = db.read(reads -> store.find(reads, tables, id))
                    .orElseThrow(() -> RecordsProblem.noSchema(String.valueOf(id)));
            remember(tables, schema.name(), schema);
            return schema;
        });
    }

    private Optional<Schema> guess(Tables tables, short id) {
        return known.entrySet().stream()
                .filter(entry -> entry.getKey().project().equals(tables.project()))
                .map(Map.Entry::getValue)
                .filter(schema -> schema.id() == id)
                .findFirst();
    }

    /** What was known of the project's schemas is old. */
    public void forget(Tables tables) {
        known.keySet().removeIf(name -> name.project().equals(tables.project()));
    }

    private void remember(Tables tables, String name, Schema schema) {
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        known.put(new Name(tables.project(), name), schema);
    }
}
