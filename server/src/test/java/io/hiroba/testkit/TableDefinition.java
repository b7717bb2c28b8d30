package io.hiroba.testkit;

import io.hiroba.platform.db.Db;
import java.util.List;

/** Reads the columns and constraints of a table from the catalog, for tests that compare them with a design. */
public final class TableDefinition {

    private TableDefinition() {}

    /** One text each, such as {@code email character varying(100) NOT NULL} and {@code UNIQUE (email)}. */
    public static List<String> of(Db db, String table) {
        return db.read(reads ->
                reads.query("""
                        SELECT attname || ' ' || format_type(atttypid, atttypmod)
                               || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
                        FROM pg_attribute
                        WHERE attrelid = CAST(:table AS regclass) AND attnum > 0 AND NOT attisdropped
                        UNION ALL
                        SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = CAST(:table AS regclass)
                        """).bind("table", table).mapTo(String.class).list());
    }
}
