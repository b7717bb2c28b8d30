package io.hiroba.platform.db;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL says went wrong. Decisions look at this code only, never at a message. */
public final class SqlState {

    public static final String UNIQUE_VIOLATION = "23505";
    public static final String FOREIGN_KEY_VIOLATION = "23503";
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK_DETECTED = "40P01";

    private SqlState() {}

    /** The first SQLSTATE in the chain of causes. */
    public static @Nullable String of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return null;
    }

    public static boolean is(Throwable failure, String state) {
        return state.equals(of(failure));
    }

    static boolean wantsRetry(Throwable failure) {
        return is(failure, SERIALIZATION_FAILURE) || is(failure, DEADLOCK_DETECTED);
    }
}
