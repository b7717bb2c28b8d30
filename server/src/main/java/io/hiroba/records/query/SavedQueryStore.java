package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectTables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads and writes saved queries and the records that matched them last. */
final class SavedQueryStore {

    private static final String COLUMNS = "id, project_id, owner, schema_id, name, query, notify, shared";

    /** Queries about a deleted schema are there again when it is restored. */
    private static final String THERE = """
            NOT EXISTS (SELECT FROM records.removed_schemas AS d
                        WHERE d.project_id = saved_queries.project_id AND d.schema_id = saved_queries.schema_id)""";

    void insert(Tx tx, SavedQuery saved) {
        tx.update("""
                INSERT INTO records.saved_queries (id, project_id, owner, schema_id, name, query, notify, shared)
                VALUES (:id, :project, :owner, :schema, :name, CAST(:query AS jsonb), :notify, :shared)
                """)
                .bind("id", saved.id().value())
                .bind("project", saved.project().value())
                .bind("owner", saved.owner().value())
                .bind("schema", saved.schema())
                .bind("name", saved.name())
                .bind("query", Json.text(saved.definition()))
                .bind("notify", saved.notifies())
                .bind("shared", saved.shared())
                .execute();
    }

    void update(Tx tx, SavedQuery saved) {
        tx.update("""
                UPDATE records.saved_queries
                SET schema_id = :schema, name = :name, query = CAST(:query AS jsonb), notify = :notify, shared = :shared,
                    updated_at = now()
                WHERE id = :id
                """)
                .bind("id", saved.id().value())
                .bind("schema", saved.schema())
                .bind("name", saved.name())
                .bind("query", Json.text(saved.definition()))
                .bind("notify", saved.notifies())
                .bind("shared", saved.shared())
                .execute();
    }

    void delete(Tx tx, SavedQueryId id) {
        tx.update("DELETE FROM records.saved_queries WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    Optional<SavedQuery> find(Reads reads, ProjectId project, SavedQueryId id) {
        return reads.query("SELECT %s FROM records.saved_queries WHERE project_id = :project AND id = :id AND %s"
                        .formatted(COLUMNS, THERE))
                .bind("project", project.value())
                .bind("id", id.value())
                .map(row -> saved(row))
                .findOne();
    }

    /** A query that nobody finds because its schema was deleted. */
    Optional<SavedQuery> findOfRemoved(Reads reads, ProjectId project, SavedQueryId id) {
        return reads.query("SELECT %s FROM records.saved_queries WHERE project_id = :project AND id = :id AND NOT (%s)"
                        .formatted(COLUMNS, THERE))
                .bind("project", project.value())
                .bind("id", id.value())
                .map(row -> saved(row))
                .findOne();
    }

    /** Locks the query until {@code tx} ends, also against the notifier. */
    Optional<SavedQuery> lock(Tx tx, ProjectId project, SavedQueryId id) {
        return tx.query("SELECT %s FROM records.saved_queries WHERE project_id = :project AND id = :id FOR UPDATE"
                        .formatted(COLUMNS))
                .bind("project", project.value())
                .bind("id", id.value())
                .map(row -> saved(row))
                .findOne();
    }

    /** The user's own and shared queries, the newest first. */
    List<SavedQuery> seen(Reads reads, ProjectId project, UserId user, long before, int limit) {
        return reads.query("""
                SELECT %1$s FROM (
                    (SELECT %1$s FROM records.saved_queries
                     WHERE project_id = :project AND owner = :user AND id < :before AND %2$s
                     ORDER BY id DESC LIMIT :limit)
                    UNION
                    (SELECT %1$s FROM records.saved_queries
                     WHERE project_id = :project AND shared AND id < :before AND %2$s
                     ORDER BY id DESC LIMIT :limit)
                ) AS seen
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(COLUMNS, THERE))
                .bind("project", project.value())
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> saved(row))
                .list();
    }

    /** The owner saves no other query of the project until {@code tx} ends. */
    void lockCreation(Tx tx, ProjectId project, UserId owner) {
        tx.lock("records.saved_queries", project.hex() + " " + owner.hex());
    }

    int count(Reads reads, ProjectId project, UserId owner) {
        return reads.query("SELECT count(*) FROM records.saved_queries WHERE project_id = :project AND owner = :owner")
                .bind("project", project.value())
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
    }

    /** The queries on {@code schema} that notify their owners, locked until {@code tx} ends. */
    List<SavedQuery> notifying(Tx tx, ProjectId project, short schema) {
        return tx.query("""
                SELECT %s FROM records.saved_queries
                WHERE project_id = :project AND schema_id = :schema AND notify
                ORDER BY id
                FOR SHARE
                """.formatted(COLUMNS))
                .bind("project", project.value())
                .bind("schema", schema)
                .map(row -> saved(row))
                .list();
    }

    private static SavedQuery saved(ResultSet row) throws SQLException {
        return new SavedQuery(
                new SavedQueryId(row.getLong("id")),
                new ProjectId(row.getLong("project_id")),
                new UserId(row.getLong("owner")),
                row.getShort("schema_id"),
                row.getString("name"),
                Json.exact().readValue(row.getString("query"), QueryDefinition.class),
                row.getBoolean("notify"),
                row.getBoolean("shared"));
    }

    Set<UUID> knownMatches(Reads reads, SavedQueryId query, Collection<UUID> rows) {
        return reads.query("SELECT row_id FROM records.saved_matches WHERE query_id = :query AND row_id = ANY (:rows)")
                .bind("query", query.value())
                .bindArray("rows", UUID.class, rows.toArray())
                .mapTo(UUID.class)
                .set();
    }

    /** Those of {@code rows} that did not match before. */
    Set<UUID> addMatches(Tx tx, SavedQueryId query, Collection<UUID> rows) {
        return tx.query("""
                INSERT INTO records.saved_matches (query_id, row_id)
                SELECT :query, row_id FROM unnest(:rows) AS new (row_id)
                ON CONFLICT (query_id, row_id) DO NOTHING
                RETURNING row_id
                """)
                .bind("query", query.value())
                .bindArray("rows", UUID.class, rows.toArray())
                .mapTo(UUID.class)
                .set();
    }

    void removeMatches(Tx tx, SavedQueryId query, Collection<UUID> rows) {
        tx.update("DELETE FROM records.saved_matches WHERE query_id = :query AND row_id = ANY (:rows)")
                .bind("query", query.value())
                .bindArray("rows", UUID.class, rows.toArray())
                .execute();
    }

    void removeAllMatches(Tx tx, SavedQueryId query) {
        tx.update("DELETE FROM records.saved_matches WHERE query_id = :query")
                .bind("query", query.value())
                .execute();
    }

    /** Those of {@code projects} with queries that notify. */
    Set<Long> watchedProjects(Reads reads, Collection<ProjectId> projects) {
        return reads.query(
                        "SELECT DISTINCT project_id FROM records.saved_queries WHERE project_id = ANY (:projects) AND notify")
                .bindArray(
                        "projects",
                        Long.class,
                        projects.stream().map(ProjectId::value).toArray())
                .mapTo(Long.class)
                .set();
    }

    /** The records that {@code by} created from {@code first} to {@code last}. */
    List<UUID> importedRows(Reads reads, ProjectTables tables, short schema, UserId by, UUID first, UUID last) {
        return reads.query("""
                SELECT row_id FROM %s
                WHERE schema_id = :schema AND row_id BETWEEN :first AND :last AND created_by = :by
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("first", first)
                .bind("last", last)
                .bind("by", by.value())
                .mapTo(UUID.class)
                .list();
    }
}
