package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of schemas on this node. An entry may be stale: a write asks for {@link #current}, and a query compares
 * the version in the statement itself and calls {@link #refreshed} when it was an old one.
 */
public final class SchemaCatalog {

    private static final int MAX_KNOWN = 10_000;

    private final Db db;
    private final SchemaStore store = new SchemaStore();
    private final Map<Name, Schema> known = new ConcurrentHashMap<>();
    private final Map<Id, Schema> byId = new ConcurrentHashMap<>();

    private final WakeSignal due = new WakeSignal();

    private record Name(ProjectId project, String schema) {}

    private record Id(ProjectId project, short schema) {}

    public SchemaCatalog(Db db) {
        this.db = db;
    }

    /** The schema by name or alias, possibly outdated. */
    public Schema cached(ProjectTables tables, String name) {
        var schema = known.get(new Name(tables.project(), name));
        return schema == null ? refreshed(tables, name) : schema.calledBy(name);
    }

    /** The same on the caller's connection: waiting for a second one while holding the first can deadlock the pool. */
    public Schema cached(Reads reads, ProjectTables tables, String name) {
        var schema = known.get(new Name(tables.project(), name));
        return schema == null ? refreshed(reads, tables, name) : schema.calledBy(name);
    }

    /** The current schema. */
    public Schema refreshed(ProjectTables tables, String name) {
        return db.read(reads -> refreshed(reads, tables, name));
    }

    /** The same on the caller's connection. */
    Schema refreshed(Reads reads, ProjectTables tables, String name) {
        var schema = store.find(reads, tables, name).orElseThrow(() -> RecordsProblem.noSchema(name));
        cache(tables, name, schema);
        return schema;
    }

    /** The current schema, locked until {@code tx} ends. */
    public Schema current(Tx tx, ProjectTables tables, String name) {
        var guess = known.get(new Name(tables.project(), name));
        if (guess != null && store.lockVersion(tx, tables, guess.id()) == guess.version()) {
            return guess.calledBy(name);
        }
        var id = store.find(tx, tables, name)
                .orElseThrow(() -> RecordsProblem.noSchema(name))
                .id();
        store.lockVersion(tx, tables, id);
        return refreshed(tx, tables, name);
    }

    /** As {@link #current(Tx, ProjectTables, String)}, by id. */
    public Schema current(Tx tx, ProjectTables tables, short id) {
        int version = store.lockVersion(tx, tables, id);
        var guess = byId.get(new Id(tables.project(), id));
        return guess != null && guess.version() == version ? guess : found(tx, tables, id);
    }

    /** The schema by id, possibly outdated. */
    public Schema cached(ProjectTables tables, short id) {
        var schema = byId.get(new Id(tables.project(), id));
        return schema == null ? db.read(reads -> found(reads, tables, id)) : schema;
    }

    /** The same on the caller's connection: waiting for a second one while holding the first can deadlock the pool. */
    public Schema cached(Reads reads, ProjectTables tables, short id) {
        var schema = byId.get(new Id(tables.project(), id));
        return schema == null ? found(reads, tables, id) : schema;
    }

    /** Raised on this node when records are to be computed. */
    WakeSignal due() {
        return due;
    }

    /** Invalidates the cached schemas of the project. */
    public void invalidate(ProjectTables tables) {
        known.keySet().removeIf(name -> name.project().equals(tables.project()));
        byId.keySet().removeIf(id -> id.project().equals(tables.project()));
    }

    private Schema found(Reads reads, ProjectTables tables, short id) {
        var schema = store.find(reads, tables, id).orElseThrow(() -> RecordsProblem.noSchema(String.valueOf(id)));
        rememberId(tables, schema);
        return schema;
    }

    private void cache(ProjectTables tables, String name, Schema schema) {
        if (known.size() >= MAX_KNOWN) {
            known.clear();
        }
        known.put(new Name(tables.project(), name), schema);
        rememberId(tables, schema);
    }

    private void rememberId(ProjectTables tables, Schema schema) {
        if (byId.size() >= MAX_KNOWN) {
            byId.clear();
        }
        byId.put(new Id(tables.project(), schema.id()), schema);
    }
}
