package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes schemas that were deleted and can be restored. Their rows stay, as history and documents go by them. */
final class RemovedSchemaStore {

    private static final String COLUMNS = "project_id, schema_id, name, aliases, removed_by, removed_at, until";

    private final SchemaStore schemas = new SchemaStore();

    /** A deleted schema, with the names that it had. */
    record Row(
            ProjectId project, short schema, String name, List<String> aliases, UserId by, Instant at, Instant until) {

        Row {
            aliases = List.copyOf(aliases);
        }

        /** By its name or its id. */
        boolean isCalled(String normalized) {
            return name.equals(normalized) || String.valueOf(schema).equals(normalized);
        }
    }

    void insert(Tx tx, Row row) {
        tx.update("""
                INSERT INTO records.removed_schemas (project_id, schema_id, name, aliases, removed_by, removed_at, until)
                VALUES (:project, :schema, :name, :aliases, :by, :at, :until)
                """)
                .bind("project", row.project().value())
                .bind("schema", row.schema())
                .bind("name", row.name())
                .bindArray("aliases", String.class, row.aliases().toArray())
                .bind("by", row.by().value())
                .bind("at", RecordStore.time(row.at()))
                .bind("until", RecordStore.time(row.until()))
                .execute();
    }

    /** Those that can be restored, the last deleted first. */
    List<Row> list(Reads reads, ProjectId project, Instant now) {
        return reads.query("""
                SELECT %s FROM records.removed_schemas
                WHERE project_id = :project AND until > :now AND NOT erasing
                ORDER BY removed_at DESC, schema_id DESC
                """.formatted(COLUMNS))
                .bind("project", project.value())
                .bind("now", RecordStore.time(now))
                .map(RemovedSchemaStore::row)
                .list();
    }

    /** Refuses to restore what refers to a schema that is not there. */
    void requireThere(Reads reads, ProjectTables tables, String name, @Nullable Short target) {
        if (target != null && schemas.find(reads, tables, target).isEmpty()) {
            throw name(reads, tables.project(), target)
                    .map(deleted -> RecordsProblem.needsRemoved(name, deleted))
                    .orElseGet(() -> RecordsProblem.inputGone(name));
        }
    }

    /** The other deleted schemas that could not be restored without {@code schema}. */
    List<String> needing(Reads reads, ProjectTables tables, short schema) {
        return reads.query("""
                SELECT d.name FROM records.removed_schemas AS d
                WHERE d.project_id = :project AND d.schema_id <> :schema AND NOT d.erasing
                  AND (EXISTS (SELECT FROM %s AS a
                               WHERE a.schema_id = d.schema_id AND a.target_schema = :schema AND left(a.attr_name, 1) <> '_')
                       OR EXISTS (SELECT FROM records.computed_attributes AS c
                                  WHERE c.project_id = d.project_id AND c.schema_id = d.schema_id AND c.about = :schema))
                ORDER BY d.name
                """.formatted(tables.attributes()))
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .mapTo(String.class)
                .list();
    }

    /** The name that a deleted schema had. */
    private Optional<String> name(Reads reads, ProjectId project, short schema) {
        return reads.query(
                        "SELECT name FROM records.removed_schemas WHERE project_id = :project AND schema_id = :schema")
                .bind("project", project.value())
                .bind("schema", schema)
                .mapTo(String.class)
                .findOne();
    }

    /**
     * The contents of a schema, which go with it.
     *
     * @param links by which anybody sees its views
     * @param panels those of dashboards that show it
     */
    record Contents(
            long records, long views, long links, long savedQueries, long files, long panels, boolean inKnowledge) {}

    Contents contents(Reads reads, ProjectTables tables, short schema, Instant now) {
        return reads.query("""
                SELECT (SELECT count(*) FROM %s WHERE schema_id = :schema) AS records,
                       (SELECT count(*) FROM records.views WHERE project_id = :project AND schema_id = :schema) AS views,
                       (SELECT count(*) FROM records.view_links AS l JOIN records.views AS v ON v.id = l.view_id
                        WHERE v.project_id = :project AND v.schema_id = :schema AND l.expires_at > :now) AS links,
                       (SELECT count(*) FROM records.saved_queries
                        WHERE project_id = :project AND schema_id = :schema) AS saved,
                       (SELECT count(*) FROM records.attachments
                        WHERE project_id = :project AND schema_id = :schema) AS files,
                       (SELECT count(*) FROM records.dashboards AS d
                        CROSS JOIN LATERAL jsonb_array_elements(d.panels) AS p
                        WHERE d.project_id = :project AND p ->> 'schema' = CAST(:schema AS text)) AS panels,
                       EXISTS (SELECT FROM records.knowledge_texts
                               WHERE project_id = :project AND schema_id = :schema) AS in_knowledge
                """.formatted(tables.records()))
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("now", RecordStore.time(now))
                .map(row -> new Contents(
                        row.getLong("records"),
                        row.getLong("views"),
                        row.getLong("links"),
                        row.getLong("saved"),
                        row.getLong("files"),
                        row.getLong("panels"),
                        row.getBoolean("in_knowledge")))
                .one();
    }

    /** The computed attributes of deleted schemas whose values come from records of {@code schema}. */
    List<Dependent> dependents(Reads reads, ProjectTables tables, short schema) {
        return reads.query("""
                SELECT d.schema_id, d.name, coalesce(a.attr_name, '') AS attr_name, c.definition
                FROM records.computed_attributes AS c
                JOIN records.removed_schemas AS d ON d.project_id = c.project_id AND d.schema_id = c.schema_id
                LEFT JOIN %s AS a ON a.schema_id = c.schema_id AND a.attr_id = c.attr_id
                WHERE c.project_id = :project AND c.about = :schema
                ORDER BY d.name, a.attr_name
                """.formatted(tables.attributes()))
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .map(row -> new Dependent(
                        row.getShort("schema_id"),
                        row.getString("name") + "." + row.getString("attr_name"),
                        ComputationStore.definition(row.getString("definition"))))
                .list();
    }

    /** @param name with that of its schema */
    record Dependent(short schema, String name, Computed computed) {}

    /** Forgets that it was deleted; false if it is being erased. */
    boolean restore(Tx tx, Row row) {
        return tx.update("""
                DELETE FROM records.removed_schemas
                WHERE project_id = :project AND schema_id = :schema AND NOT erasing
                """)
                        .bind("project", row.project().value())
                        .bind("schema", row.schema())
                        .execute()
                == 1;
    }

    /** Has it erased now. */
    void erase(Tx tx, Row row) {
        tx.update("""
                UPDATE records.removed_schemas SET erasing = true WHERE project_id = :project AND schema_id = :schema
                """)
                .bind("project", row.project().value())
                .bind("schema", row.schema())
                .execute();
    }

    /**
     * The next schema that cannot be restored any more and that no other node erases at this moment, locked until {@code tx} ends. The
     * first deleted comes first: a later one may be what it refers to. What failed before is forgotten, unless this fails too.
     */
    Optional<Row> claim(Tx tx, Instant now) {
        return tx.query("""
                UPDATE records.removed_schemas SET erasing = true, attempts = 0, retry_at = NULL
                WHERE (project_id, schema_id) = (
                    SELECT project_id, schema_id FROM records.removed_schemas
                    WHERE (until <= :now OR erasing) AND (retry_at IS NULL OR retry_at <= :now)
                    ORDER BY until, schema_id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING %s
                """.formatted(COLUMNS))
                .bind("now", RecordStore.time(now))
                .map(RemovedSchemaStore::row)
                .findOne();
    }

    /** Has others go first for {@code delay}, doubled with each failure in a row. */
    void putOff(Tx tx, Row row, Instant now, Duration delay) {
        tx.update("""
                UPDATE records.removed_schemas
                SET attempts = attempts + 1,
                    retry_at = :now + make_interval(secs => :delay * power(2, least(attempts, 10)))
                WHERE project_id = :project AND schema_id = :schema
                """)
                .bind("project", row.project().value())
                .bind("schema", row.schema())
                .bind("now", RecordStore.time(now))
                .bind("delay", delay.toMillis() / 1000.0)
                .execute();
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                new ProjectId(row.getLong("project_id")),
                row.getShort("schema_id"),
                row.getString("name"),
                List.of((String[]) row.getArray("aliases").getArray()),
                new UserId(row.getLong("removed_by")),
                Columns.instant(row, "removed_at"),
                Columns.instant(row, "until"));
    }
}
