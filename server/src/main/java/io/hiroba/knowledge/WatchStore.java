package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.CollectionWatches.WatchKind;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.i18n.Text;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes the watches of collections and the files that they know. */
final class WatchStore {

    private static final String COLUMNS = """
            w.id, w.collection_id, w.owned_by, w.kind, w.location, w.files, w.interval_seconds, w.failures, w.problem, w.checked_at,
            w.changed_at, (SELECT count(*) FROM knowledge.watched_files f WHERE f.watch_id = w.id AND f.source_id IS NOT NULL)
                AS sources""";

    /** A claimed watch with the role that its owner has now. */
    record Claimed(Watch watch, UUID claim, @Nullable Role role) {}

    /**
     * A file as it was when it was last looked at.
     *
     * @param isMissing whether the last look did not find it
     */
    record WatchedFile(@Nullable SourceId source, String fingerprint, String hash, boolean isMissing) {}

    /**
     * The end of a look.
     *
     * @param problem why it failed, or what it could not read
     */
    record Outcome(boolean isFailure, @Nullable Text problem, boolean isChanged) {

        static Outcome failure(Text problem) {
            return new Outcome(true, problem, false);
        }
    }

    /** Returns false if the collection watches the same place already. */
    boolean insert(Tx tx, Watch watch, Instant now) {
        return tx.update("""
                INSERT INTO knowledge.collection_watches (
                    id, collection_id, owned_by, kind, location, files, interval_seconds, due_at, created_at)
                VALUES (:id, :collection, :owner, :kind, :location, :files, :interval, :now, :now)
                ON CONFLICT (collection_id, kind, location) DO NOTHING
                """)
                        .bind("id", watch.id())
                        .bind("collection", watch.collection().value())
                        .bind("owner", watch.owner().value())
                        .bind("kind", watch.kind().text())
                        .bind("location", watch.location())
                        .bind("files", watch.files())
                        .bind("interval", watch.interval().toSeconds())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    int count(Reads reads, CollectionId collection) {
        return reads.query("SELECT count(*) FROM knowledge.collection_watches WHERE collection_id = :collection")
                .bind("collection", collection.value())
                .mapTo(Integer.class)
                .one();
    }

    List<Watch> list(Reads reads, CollectionId collection) {
        return reads.query("""
                SELECT %s FROM knowledge.collection_watches w
                WHERE w.collection_id = :collection
                ORDER BY w.id DESC
                """.formatted(COLUMNS))
                .bind("collection", collection.value())
                .map(row -> watch(row))
                .list();
    }

    boolean delete(Tx tx, CollectionId collection, long id) {
        return tx.update("DELETE FROM knowledge.collection_watches WHERE id = :id AND collection_id = :collection")
                        .bind("id", id)
                        .bind("collection", collection.value())
                        .execute()
                == 1;
    }

    /** Lets the next look begin now, unless one is under way. */
    boolean hasten(Tx tx, CollectionId collection, long id, Instant now) {
        return tx.update("""
                UPDATE knowledge.collection_watches SET due_at = CASE WHEN claim IS NULL THEN :now ELSE due_at END
                WHERE id = :id AND collection_id = :collection
                """)
                        .bind("id", id)
                        .bind("collection", collection.value())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /**
     * Claims the watch that is due the longest. One whose claim ran out may have ended its node: that counts as a failure and
     * doubles the time until the next try.
     */
    Optional<Claimed> claim(Tx tx, Instant now, Instant until) {
        var claim = UUID.randomUUID();
        return tx.query("""
                UPDATE knowledge.collection_watches w
                SET claim = :claim,
                    due_at = CASE WHEN claim IS NULL THEN :until
                                  ELSE :now + (:until - :now) * (1 << least(failures + 1, 10)) END,
                    failures = CASE WHEN claim IS NULL THEN failures ELSE failures + 1 END
                FROM (SELECT id FROM knowledge.collection_watches
                      WHERE due_at <= :now
                      ORDER BY due_at
                      LIMIT 1
                      FOR UPDATE SKIP LOCKED) AS due
                WHERE w.id = due.id
                RETURNING %s, knowledge.collection_role(w.collection_id, w.owned_by) AS role
                """.formatted(COLUMNS))
                .bind("now", now)
                .bind("until", until)
                .bind("claim", claim)
                .map(row -> new Claimed(watch(row), claim, Role.of(row.getString("role"))))
                .findOne();
    }

    Optional<Instant> nextDue(Reads reads) {
        return reads.query("SELECT due_at FROM knowledge.collection_watches ORDER BY due_at LIMIT 1")
                .map(row -> Columns.instant(row, "due_at"))
                .findOne();
    }

    /** Locks a claimed watch and renews its lease; false if it is gone, or claimed by another. */
    boolean hold(Tx tx, Claimed claimed, Instant until) {
        return tx.update("UPDATE knowledge.collection_watches SET due_at = :until WHERE id = :id AND claim = :claim")
                        .bind("id", claimed.watch().id())
                        .bind("claim", claimed.claim())
                        .bind("until", until)
                        .execute()
                == 1;
    }

    /** Leaves a watch to another node. */
    void leave(Tx tx, Claimed claimed, Instant now) {
        tx.update("""
                UPDATE knowledge.collection_watches SET claim = NULL, due_at = :now WHERE id = :id AND claim = :claim
                """)
                .bind("id", claimed.watch().id())
                .bind("claim", claimed.claim())
                .bind("now", now)
                .execute();
    }

    /** Ends a claim with what came of it. */
    void finish(Tx tx, Claimed claimed, Instant now, Instant due, Outcome outcome) {
        tx.update("""
                UPDATE knowledge.collection_watches
                SET claim = NULL, due_at = :due, checked_at = :now, problem = :problem,
                    failures = CASE WHEN :failed THEN failures + 1 ELSE 0 END,
                    changed_at = CASE WHEN :changed THEN :now ELSE changed_at END
                WHERE id = :id AND claim = :claim
                """)
                .bind("id", claimed.watch().id())
                .bind("claim", claimed.claim())
                .bind("now", now)
                .bind("due", due)
                .bind("problem", outcome.problem() == null ? null : StoredText.write(outcome.problem()))
                .bind("failed", outcome.isFailure())
                .bind("changed", outcome.isChanged())
                .execute();
    }

    Map<String, WatchedFile> files(Reads reads, long watch) {
        var files = new HashMap<String, WatchedFile>();
        reads.query("""
                SELECT path, source_id, fingerprint, encode(content_hash, 'hex') AS hash, missing_since IS NOT NULL AS missing
                FROM knowledge.watched_files
                WHERE watch_id = :watch
                """)
                .bind("watch", watch)
                .map(row -> {
                    var source = row.getObject("source_id", Long.class);
                    files.put(
                            row.getString("path"),
                            new WatchedFile(
                                    source == null ? null : new SourceId(source),
                                    row.getString("fingerprint"),
                                    row.getString("hash"),
                                    row.getBoolean("missing")));
                    return watch;
                })
                .list();
        return files;
    }

    /** Writes down a file that was seen. */
    void put(Tx tx, long watch, String path, WatchedFile file) {
        tx.update("""
                INSERT INTO knowledge.watched_files (watch_id, path, source_id, fingerprint, content_hash)
                VALUES (:watch, :path, :source, :fingerprint, decode(:hash, 'hex'))
                ON CONFLICT (watch_id, path) DO UPDATE
                SET source_id = excluded.source_id, fingerprint = excluded.fingerprint, content_hash = excluded.content_hash,
                    missing_since = NULL
                """)
                .bind("watch", watch)
                .bind("path", path)
                .bind("source", file.source() == null ? null : file.source().value())
                .bind("fingerprint", file.fingerprint())
                .bind("hash", file.hash())
                .execute();
    }

    void setMissing(Tx tx, long watch, String path, Instant now) {
        tx.update("UPDATE knowledge.watched_files SET missing_since = :now WHERE watch_id = :watch AND path = :path")
                .bind("watch", watch)
                .bind("path", path)
                .bind("now", now)
                .execute();
    }

    void forget(Tx tx, long watch, String path) {
        tx.update("DELETE FROM knowledge.watched_files WHERE watch_id = :watch AND path = :path")
                .bind("watch", watch)
                .bind("path", path)
                .execute();
    }

    private static Watch watch(ResultSet row) throws SQLException {
        var problem = row.getString("problem");
        return new Watch(
                row.getLong("id"),
                new CollectionId(row.getLong("collection_id")),
                new UserId(row.getLong("owned_by")),
                WatchKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                row.getString("location"),
                row.getString("files"),
                Duration.ofSeconds(row.getInt("interval_seconds")),
                row.getInt("failures"),
                problem == null ? null : StoredText.read(problem),
                Columns.instantOrNull(row, "checked_at"),
                Columns.instantOrNull(row, "changed_at"),
                row.getInt("sources"));
    }
}
