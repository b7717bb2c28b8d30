package io.hiroba.records.schema;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import java.util.ArrayList;
import java.util.Optional;

/** The schemas of projects: made, changed, and who may see what of their records. */
public final class Schemas {

    private static final int MOST_SCHEMAS = 1000;

    private final Db db;
    private final SchemaStore store = new SchemaStore();

    public Schemas(Db db) {
        this.db = db;
    }

    public Schema define(Access access, SchemaDefinition definition) {
        return db.inTransaction(tx -> define(tx, access, definition));
    }

    /** Makes a schema, in the caller's transaction. */
    public Schema define(Tx tx, Access access, SchemaDefinition definition) {
        access.requireOwner();
        var tables = access.tables();
        store.lockNames(tx, tables);
        if (store.all(tx, tables).size() >= MOST_SCHEMAS) {
            throw RecordsProblem.tooManySchemas();
        }
        short id = store.insert(tx, tables);
        var names = new ArrayList<>(definition.further());
        names.add(definition.name());
        var reader = new Definitions(target -> names.contains(target)
                ? Optional.of(id)
                : store.find(tx, tables, target).map(Schema::id));
        reader.names(definition.name(), definition.further());
        var attributes = reader.attributes(definition.attributes(), 0, name -> Optional.empty());
        if (!reader.errors().isEmpty()) {
            throw RecordsProblem.invalid("The schema cannot be like that.", reader.errors());
        }
        var taken = store.taken(tx, tables, id, names);
        if (!taken.isEmpty()) {
            throw RecordsProblem.nameTaken(taken);
        }
        store.putNames(tx, tables, id, definition.name(), definition.further());
        store.putAttributes(tx, tables, id, attributes);
        return store.find(tx, tables, id).orElseThrow();
    }
}
