package io.hiroba.accounts;

import io.hiroba.accounts.DataExport.PartProgress;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store of exports, of their claims, and of the archives that are to be deleted. */
final class DataExportStore {

    private static final String COLUMNS = "id, user_id, token_id, state, progress, size, expires_at, fence";

    /** Inserts a running export; false if the user has one already. */
    boolean insert(Tx tx, DataExport export) {
        var token = export.token();
        return tx.update("""
                        INSERT INTO accounts.exports (id, user_id, token_id, progress)
                        VALUES (:id, :user, :token, CAST(:progress AS jsonb))
                        ON CONFLICT (user_id) WHERE state = 'running' DO NOTHING
                        """)
                        .bind("id", export.id().value())
                        .bind("user", export.user().value())
                        .bind("token", token == null ? null : (Long) token.value())
                        .bind("progress", Json.text(export.parts()))
                        .execute()
                == 1;
    }

    Optional<DataExport> find(Reads reads, UserId user, DataExport.Id id) {
        return reads.query("SELECT %s FROM accounts.exports WHERE user_id = :user AND id = :id".formatted(COLUMNS))
                .bind("user", user.value())
                .bind("id", id.value())
                .map(DataExportStore::export)
                .findOne();
    }

    /** The newest first. */
    List<DataExport> list(Reads reads, UserId user, long before, int limit) {
        return reads.query("""
                SELECT %s FROM accounts.exports
                WHERE user_id = :user AND id < :before
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(COLUMNS))
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(DataExportStore::export)
                .list();
    }

    boolean delete(Tx tx, UserId user, DataExport.Id id) {
        return tx.update("DELETE FROM accounts.exports WHERE user_id = :user AND id = :id")
                        .bind("user", user.value())
                        .bind("id", id.value())
                        .execute()
                == 1;
    }

    int deleteExpired(Tx tx, Instant now, int limit) {
        return tx.update("""
                        DELETE FROM accounts.exports
                        WHERE id IN (SELECT id FROM accounts.exports WHERE expires_at <= :now
                                     ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED)
                        """).bind("now", now).bind("limit", limit).execute();
    }

    /**
     * An export claimed by this node.
     *
     * @param attempts the claims so far, including this one
     */
    record Claim(DataExport export, int attempts) {

        String archive() {
            return DataExport.archive(export.id(), export.fence());
        }
    }

    /** Claims the oldest unclaimed export for {@code lease}. */
    Optional<Claim> claim(Tx tx, Duration lease) {
        return tx.query("""
                UPDATE accounts.exports
                SET fence = fence + 1, attempts = attempts + 1, leased_until = now() + make_interval(secs => :lease)
                WHERE id = (
                    SELECT id FROM accounts.exports
                    WHERE state = 'running' AND (leased_until IS NULL OR leased_until < now())
                    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING attempts, %s
                """.formatted(COLUMNS))
                .bind("lease", lease.toMillis() / 1000.0)
                .map(row -> new Claim(export(row), row.getInt("attempts")))
                .findOne();
    }

    /** Stores the progress and renews the claim; false if it was lost, as when the export is cancelled. */
    boolean advance(Tx tx, Claim claim, List<PartProgress> progress, Duration lease) {
        return tx.update("""
                        UPDATE accounts.exports
                        SET progress = CAST(:progress AS jsonb), leased_until = now() + make_interval(secs => :lease)
                        WHERE id = :id AND fence = :fence AND state = 'running'
                        """)
                        .bind("id", claim.export().id().value())
                        .bind("fence", claim.export().fence())
                        .bind("progress", Json.text(progress))
                        .bind("lease", lease.toMillis() / 1000.0)
                        .execute()
                == 1;
    }

    /** Returns the claim; after a stop of the node it does not count. */
    void release(Tx tx, Claim claim, boolean counts, Duration pause) {
        tx.update("""
                        UPDATE accounts.exports
                        SET leased_until = now() + make_interval(secs => :pause),
                            attempts = CASE WHEN :counts THEN attempts ELSE attempts - 1 END
                        WHERE id = :id AND fence = :fence AND state = 'running'
                        """)
                .bind("id", claim.export().id().value())
                .bind("fence", claim.export().fence())
                .bind("counts", counts)
                .bind("pause", pause.toMillis() / 1000.0)
                .execute();
    }

    /** Ends it as ready, or as failed if there is no {@code size}; false if the claim was lost. */
    boolean end(Tx tx, Claim claim, List<PartProgress> progress, @Nullable Long size, Instant expiresAt) {
        return tx.update("""
                        UPDATE accounts.exports
                        SET state = :state, progress = CAST(:progress AS jsonb), size = :size, expires_at = :expiresAt,
                            leased_until = NULL
                        WHERE id = :id AND fence = :fence AND state = 'running'
                        """)
                        .bind("id", claim.export().id().value())
                        .bind("fence", claim.export().fence())
                        .bind("state", (size == null ? DataExport.State.FAILED : DataExport.State.READY).code())
                        .bind("progress", Json.text(progress))
                        .bind("size", size)
                        .bind("expiresAt", expiresAt)
                        .execute()
                == 1;
    }

    /** An export that is gone, and how many archives of it there may be. */
    record Deletion(DataExport.Id id, int fence) {}

    /** Claims up to {@code limit} that are due for a while: deleting twice does no harm. */
    List<Deletion> claimDeletions(Tx tx, int limit) {
        return tx.query("""
                UPDATE accounts.export_deletions d SET due_at = now() + INTERVAL '5 minutes'
                FROM (SELECT export_id FROM accounts.export_deletions
                      WHERE due_at <= now()
                      ORDER BY due_at
                      LIMIT :limit
                      FOR UPDATE SKIP LOCKED) due
                WHERE d.export_id = due.export_id
                RETURNING d.export_id, d.fence
                """)
                .bind("limit", limit)
                .map(row -> new Deletion(new DataExport.Id(row.getLong("export_id")), row.getInt("fence")))
                .list();
    }

    void finishDeletion(Tx tx, Deletion deletion) {
        tx.update("DELETE FROM accounts.export_deletions WHERE export_id = :id")
                .bind("id", deletion.id().value())
                .execute();
    }

    private static DataExport export(ResultSet row) throws SQLException {
        @Nullable Long token = row.getObject("token_id", Long.class);
        return new DataExport(
                new DataExport.Id(row.getLong("id")),
                new UserId(row.getLong("user_id")),
                token == null ? null : new TokenId(token),
                DataExport.State.of(row.getString("state")),
                List.of(Json.mapper().readValue(row.getString("progress"), PartProgress[].class)),
                row.getObject("size", Long.class),
                Columns.instantOrNull(row, "expires_at"),
                row.getInt("fence"));
    }
}
