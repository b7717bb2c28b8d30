package io.hiroba.records.transfer;

import io.hiroba.platform.db.Tx;
import io.hiroba.records.transfer.Import.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Imports as nodes work on them. All times are the database's: the nodes' clocks may differ. */
final class WorkStore {

    private static final int LONGEST_FAILURE = 1_000;

    /**
     * An import that this node works on.
     *
     * @param fence names this claim: what is written under an older one is refused
     * @param attempts claims since anything was last committed, with this one
     */
    record Claim(Import work, int fence, int attempts) {}

    /** Takes the oldest import that nobody works on, for as long as {@code lease}. */
    Optional<Claim> claim(Tx tx, Duration lease) {
        return tx.query("""
                UPDATE records.imports
                SET fence = fence + 1, attempts = attempts + 1, leased_until = now() + make_interval(secs => :lease)
                WHERE id = (
                    SELECT id FROM records.imports
                    WHERE state = 'RUNNING' AND (leased_until IS NULL OR leased_until < now())
                    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING fence, attempts, %s
                """.formatted(ImportStore.COLUMNS))
                .bind("lease", lease.toMillis() / 1000.0)
                .map(row -> new Claim(ImportStore.read(row), row.getInt("fence"), row.getInt("attempts")))
                .findOne();
    }

    /** Whether the claim still holds; if so, it does for another {@code lease}. */
    boolean renew(Tx tx, Claim claim, Duration lease) {
        return tx.update("""
                UPDATE records.imports SET leased_until = now() + make_interval(secs => :lease)
                WHERE id = :id AND fence = :fence AND state = 'RUNNING'
                """)
                        .bind("id", claim.work().id().value())
                        .bind("fence", claim.fence())
                        .bind("lease", lease.toMillis() / 1000.0)
                        .execute()
                == 1;
    }

    void advance(Tx tx, Claim claim, Progress progress) {
        tx.update("""
                UPDATE records.imports
                SET position = :position, line = :line, bytes_read = :bytes, row_count = :rows, error_count = :errors,
                    attempts = 0, updated_at = now()
                WHERE id = :id
                """)
                .bind("id", claim.work().id().value())
                .bind("position", progress.position())
                .bind("line", progress.line())
                .bind("bytes", progress.bytes())
                .bind("rows", progress.rows())
                .bind("errors", progress.errors())
                .execute();
    }

    /** How many errors of the import are kept. */
    int errorsKept(Tx tx, ImportId id) {
        return tx.query("SELECT coalesce(max(number), -1) + 1 FROM records.import_errors WHERE import_id = :id")
                .bind("id", id.value())
                .mapTo(Integer.class)
                .one();
    }

    /** Keeps {@code errors}, the first of which is the number {@code from} of the import. */
    void insertErrors(Tx tx, ImportId id, int from, List<LineError> errors) {
        var batch = tx.batch("""
                INSERT INTO records.import_errors (import_id, number, line, field, message)
                VALUES (:id, :number, :line, :field, :message)
                """);
        int number = from;
        for (var error : errors) {
            batch.bind("id", id.value())
                    .bind("number", number++)
                    .bind("line", error.line())
                    .bind("field", error.field())
                    .bind("message", error.message())
                    .add();
        }
        if (!errors.isEmpty()) {
            batch.execute();
        }
    }

    /** Gives the claim back, so that another node need not wait for it to run out. */
    void release(Tx tx, Claim claim) {
        tx.update("""
                UPDATE records.imports SET leased_until = NULL, attempts = greatest(attempts - 1, 0)
                WHERE id = :id AND fence = :fence
                """)
                .bind("id", claim.work().id().value())
                .bind("fence", claim.fence())
                .execute();
    }

    /** Gives the claim back for a node to take after {@code pause}, without counting it as a failure. */
    void postpone(Tx tx, Claim claim, Duration pause) {
        tx.update("""
                UPDATE records.imports
                SET leased_until = now() + make_interval(secs => :pause), attempts = greatest(attempts - 1, 0)
                WHERE id = :id AND fence = :fence
                """)
                .bind("id", claim.work().id().value())
                .bind("fence", claim.fence())
                .bind("pause", pause.toMillis() / 1000.0)
                .execute();
    }

    /** False if the claim does not hold any more. */
    boolean end(Tx tx, Claim claim, ImportState state, String failure) {
        return tx.update("""
                UPDATE records.imports
                SET state = :state, failure = nullif(:failure, ''), leased_until = NULL, updated_at = now(), ended_at = now()
                WHERE id = :id AND fence = :fence AND state = 'RUNNING'
                """)
                        .bind("id", claim.work().id().value())
                        .bind("fence", claim.fence())
                        .bind("state", state.name())
                        .bind("failure", Utf8.storable(failure, LONGEST_FAILURE))
                        .execute()
                == 1;
    }
}
