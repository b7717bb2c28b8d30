package io.hiroba.records.data;

import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.records.RecordsProblem;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes first and asks afterwards. Most writes break no promise, so the first attempt leaves it to the database to find one
 * that does. The next attempts ask beforehand which field it is; what they miss was written meanwhile by somebody else.
 */
public final class Contention {

    private static final int ATTEMPTS = 4;

    private Contention() {}

    /** A write that is done anew from its beginning. */
    @FunctionalInterface
    public interface Attempt<T extends @Nullable Object> {
        T make(boolean careful);
    }

    /** Makes {@code attempt} until no other write comes between. */
    public static <T extends @Nullable Object> T settled(Attempt<T> attempt) {
        Predicate<DbException> broken =
                e -> SqlState.is(e, SqlState.UNIQUE_VIOLATION) || SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION);
        for (int i = 1; i <= ATTEMPTS; i++) {
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
