package io.hiroba.testkit;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Projects;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;

/**
 * A project with the schema {@code item} (title, price, soldAt, active, status, note) and as many records as a test asks
 * for, written by one statement: what they hold follows from their number.
 */
public final class ManyRecords implements AutoCloseable {

    public static final String SCHEMA = "item";

    public final TestAccounts accounts = new TestAccounts();
    public final Db db = accounts.db;
    public final Projects projects = new Projects(db, accounts.lease.ids(), new EventLog());
    public final SchemaCatalog catalog = new SchemaCatalog(db);
    public final Caller owner = accounts.caller(accounts.user("owner"));
    private int filled;

    /** A project of the owner's with the schema and no records. */
    public ProjectAccess project() {
        var project = db.inTransaction(tx -> projects.create(tx, owner, "shop"));
        var tables = project.tables();
        db.useTransaction(tx -> {
            tx.update("INSERT INTO %s (schema_id) VALUES (100)".formatted(tables.schemas()))
                    .execute();
            tx.update("INSERT INTO %s (schema_name, schema_id) VALUES ('item', 100)".formatted(tables.registry()))
                    .execute();
            tx.update("""
                    INSERT INTO %s (attr_id, schema_id, attr_name, value_type, options)
                    SELECT a.id, 100, a.name, a.type, '{"required": false, "prefixSearch": false}'
                    FROM (VALUES (0, 'title', 'text'), (6, 'price', 'numeric'), (12, 'soldAt', 'datetime'),
                        (18, 'active', 'bool'), (20, 'status', 'text'), (29, 'note', 'jsonb')) AS a (id, name, type)
                    """.formatted(tables.attributes())).execute();
        });
        return projects.access(owner, project.id());
    }

    /**
     * Adds {@code count} records. Of ten, seven have the status {@code open}, two {@code held} and one {@code shut}; prices
     * go up to 1,000 and are low more often than high; every fourth has no price.
     */
    public void fill(ProjectTables tables, int count) {
        db.useTransaction(tx -> tx.update("""
                INSERT INTO %s (row_id, created_by, updated_by, schema_id, doc)
                SELECT CAST(lpad(to_hex(i), 12, '0') || '7000a000000000000000' AS uuid), :owner, :owner, 100,
                    jsonb_build_array(
                        'title ' || lpad(to_hex(i * 7919 %% 65536), 4, '0') || ' of ' || i,
                        CASE WHEN i %% 4 > 0 THEN round(CAST(1000 * power((i * 7919 %% 10007) / 10007.0, 2) AS numeric), 2) END,
                        1700000000000000 + i * 1000000,
                        i %% 3 = 0,
                        CASE WHEN i %% 10 < 7 THEN 'open' WHEN i %% 10 < 9 THEN 'held' ELSE 'shut' END,
                        CASE WHEN i %% 5 = 0 THEN jsonb_build_object('n', i) END)
                FROM generate_series(CAST(:from AS bigint), :to) AS i
                """.formatted(tables.records()))
                .bind("owner", owner.user().value())
                .bind("from", filled + 1)
                .bind("to", filled + count)
                .execute());
        filled += count;
    }

    public Schema schema(ProjectTables tables) {
        return catalog.refreshed(tables, SCHEMA);
    }

    public SchemaAttribute attribute(ProjectTables tables, String name) {
        return schema(tables).attribute(name).orElseThrow();
    }

    /** A number out of SQL in which {@code @} stands for the project's suffix. */
    public double number(ProjectTables tables, String sql) {
        return db.read(reads -> reads.query(sql.replace("@", tables.suffix()))
                .mapTo(Double.class)
                .one());
    }

    @Override
    public void close() {
        accounts.close();
    }
}
