package io.hiroba.saga.workflow;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads and writes the versions of workflows. */
final class WorkflowStore {

    /** A version with its text. */
    record Stored(WorkflowVersion version, String definition) {}

    /** Locks the name of the workflow until {@code tx} ends, so that no other version is registered meanwhile. */
    void lock(Tx tx, String name) {
        tx.lock("saga.workflow", name);
    }

    WorkflowVersion insert(Tx tx, WorkflowDefinition definition, int version, Source source, boolean enabled) {
        return tx.query("""
                INSERT INTO saga.workflows (name, version, definition, format, enabled, created_by)
                VALUES (:name, :version, :definition, :format, :enabled, :by)
                RETURNING name, version, enabled, format, created_by, created_at
                """)
                .bind("name", definition.name())
                .bind("version", version)
                .bind("definition", source.text())
                .bind("format", source.format().code())
                .bind("enabled", enabled)
                .bind("by", source.by())
                .map(WorkflowStore::version)
                .one();
    }

    /** A text and its author. */
    record Source(String text, WorkflowFormat format, String by) {}

    /** Returns the number of versions. */
    int setEnabled(Tx tx, String name, boolean enabled) {
        return tx.update("UPDATE saga.workflows SET enabled = :enabled WHERE name = :name")
                .bind("name", name)
                .bind("enabled", enabled)
                .execute();
    }

    Optional<Stored> find(Reads reads, String name, int version) {
        return reads.query("""
                SELECT name, version, enabled, format, created_by, created_at, definition
                FROM saga.workflows
                WHERE name = :name AND version = :version
                """)
                .bind("name", name)
                .bind("version", version)
                .map(WorkflowStore::stored)
                .findOne();
    }

    Optional<Stored> newest(Reads reads, String name) {
        return reads.query("""
                SELECT name, version, enabled, format, created_by, created_at, definition
                FROM saga.workflows
                WHERE name = :name
                ORDER BY version DESC
                LIMIT 1
                """).bind("name", name).map(WorkflowStore::stored).findOne();
    }

    /** The newest version of a workflow without its text, which every start of a saga looks up. */
    record Head(int version, boolean enabled) {}

    Optional<Head> head(Reads reads, String name) {
        return reads.query("""
                SELECT version, enabled
                FROM saga.workflows
                WHERE name = :name
                ORDER BY version DESC
                LIMIT 1
                """)
                .bind("name", name)
                .map(row -> new Head(row.getInt("version"), row.getBoolean("enabled")))
                .findOne();
    }

    static final String LIST = """
            WITH RECURSIVE page AS (
                (SELECT name, 1 AS position
                 FROM saga.workflows
                 WHERE name > :after
                 ORDER BY name
                 LIMIT 1)
                UNION ALL
                SELECT following.name, page.position + 1
                FROM page
                CROSS JOIN LATERAL (
                    SELECT w.name
                    FROM saga.workflows AS w
                    WHERE w.name > page.name
                    ORDER BY w.name
                    LIMIT 1) AS following
                WHERE page.position < :limit)
            SELECT newest.name, newest.version, newest.enabled, newest.format, newest.created_by, newest.created_at
            FROM page
            CROSS JOIN LATERAL (
                SELECT w.name, w.version, w.enabled, w.format, w.created_by, w.created_at
                FROM saga.workflows AS w
                WHERE w.name = page.name
                ORDER BY w.version DESC
                LIMIT 1) AS newest
            ORDER BY page.position
            """;

    /** The newest version of each, by name. Only one row of each name is read, however many versions there are. */
    List<WorkflowVersion> list(Reads reads, String after, int limit) {
        return reads.query(LIST)
                .bind("after", after)
                .bind("limit", limit)
                .map(WorkflowStore::version)
                .list();
    }

    static final String VERSIONS = """
            SELECT name, version, enabled, format, created_by, created_at
            FROM saga.workflows
            WHERE name = :name AND version < :before
            ORDER BY version DESC
            LIMIT :limit
            """;

    /** The versions of one, newest first, below {@code before}. */
    List<WorkflowVersion> versions(Reads reads, String name, int before, int limit) {
        return reads.query(VERSIONS)
                .bind("name", name)
                .bind("before", before)
                .bind("limit", limit)
                .map(WorkflowStore::version)
                .list();
    }

    private static Stored stored(ResultSet row) throws SQLException {
        return new Stored(version(row), row.getString("definition"));
    }

    private static WorkflowVersion version(ResultSet row) throws SQLException {
        return new WorkflowVersion(
                row.getString("name"),
                row.getInt("version"),
                row.getBoolean("enabled"),
                WorkflowFormat.ofCode(row.getString("format")),
                row.getString("created_by"),
                Columns.instant(row, "created_at"));
    }
}
