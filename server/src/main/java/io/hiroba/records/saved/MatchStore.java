package io.hiroba.records.saved;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Tables;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What matched saved queries when it was last looked at. */
final class MatchStore {

    Set<UUID> known(Reads reads, SavedQueryId query, Collection<UUID> rows) {
        return reads.query("SELECT row_id FROM records.saved_matches WHERE query_id = :query AND row_id = ANY (:rows)")
                .bind("query", query.value())
                .bindArray("rows", UUID.class, rows.toArray())
                .mapTo(UUID.class)
                .set();
    }

    /** Those of {@code rows} that were not known yet. */
    Set<UUID> remember(Tx tx, SavedQueryId query, Collection<UUID> rows) {
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

    void forget(Tx tx, SavedQueryId query, Collection<UUID> rows) {
        tx.update("DELETE FROM records.saved_matches WHERE query_id = :query AND row_id = ANY (:rows)")
                .bind("query", query.value())
                .bindArray("rows", UUID.class, rows.toArray())
                .execute();
    }

    void forgetAll(Tx tx, SavedQueryId query) {
        tx.update("DELETE FROM records.saved_matches WHERE query_id = :query")
                .bind("query", query.value())
                .execute();
    }

    /** The projects among {@code projects} in which anybody is told of anything. */
    Set<Long> listening(Reads reads, Collection<ProjectId> projects) {
        return reads.query(
                        "SELECT DISTINCT project_id FROM records.saved_queries WHERE project_id = ANY (:projects) AND notify")
                .bindArray(
                        "projects",
                        Long.class,
                        projects.stream().map(ProjectId::value).toArray())
                .mapTo(Long.class)
                .set();
    }

    /** The records that {@code by} made, from {@code first} to {@code last}. */
    List<UUID> imported(Reads reads, Tables tables, short schema, UserId by, UUID first, UUID last) {
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
