package io.hiroba.records;

import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Retries writes on conflict. Most writes violate no constraint, so the first attempt leaves the checks to the
 * database. Further attempts check beforehand which field conflicts; what they miss was written concurrently.
 */
public final class ConflictRetry {

    private static final int MAX_ATTEMPTS = 4;

    private ConflictRetry() {}

    /** A write that can be repeated. */
    @FunctionalInterface
    public interface Attempt<T extends @Nullable Object> {
        T make(boolean prechecked);
    }

    /** Runs {@code attempt} until no concurrent write conflicts with it. */
    public static <T extends @Nullable Object> T run(Attempt<T> attempt) {
        Predicate<DbException> broken =
                e -> SqlState.is(e, SqlState.UNIQUE_VIOLATION) || SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION);
        for (int i = 1; i <= MAX_ATTEMPTS; i++) {
            try {
                return attempt.make(i > 1);
            } catch (DbException e) {
                if (SqlState.is(e, SqlState.UNDEFINED_TABLE)) {
                    // The project was deleted meanwhile.
                    throw RecordsProblem.noProject();
                }
                if (!broken.test(e)) {
                    throw e;
                }
            }
        }
        throw RecordsProblem.contended();
    }
}
