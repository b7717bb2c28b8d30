package io.hiroba.platform.db;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** The five-character error code of PostgreSQL. Decisions look at this code only, never at a message. */
public final class SqlState {

    public static final String UNIQUE_VIOLATION = "23505";
    public static final String FOREIGN_KEY_VIOLATION = "23503";
    public static final String CHECK_VIOLATION = "23514";
    public static final String UNDEFINED_TABLE = "42P01";
    public static final String LOCK_NOT_AVAILABLE = "55P03";
    static final String READ_ONLY_TRANSACTION = "25006";
    private static final String IDLE_IN_TRANSACTION_TIMEOUT = "25P03";
    private static final String QUERY_CANCELED = "57014";
    private static final String DISK_FULL = "53100";
    private static final String CHARACTER_NOT_IN_REPERTOIRE = "22021";
    private static final String UNTRANSLATABLE_CHARACTER = "22P05";
    private static final String SERIALIZATION_FAILURE = "40001";
    public static final String DEADLOCK_DETECTED = "40P01";

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

    /** The role or its password is not, or not any more, the right one. */
    static boolean isLoginRefused(Throwable failure) {
        var state = of(failure);
        return state != null && state.startsWith("28");
    }

    /** The text holds a character the database cannot store, such as NUL. */
    public static boolean isBadText(Throwable failure) {
        return is(failure, CHARACTER_NOT_IN_REPERTOIRE) || is(failure, UNTRANSLATABLE_CHARACTER);
    }

    public static boolean isDiskFull(Throwable failure) {
        return is(failure, DISK_FULL);
    }

    /** The database is unreachable, full, a standby, shutting down or timed out: the same request may succeed later. */
    public static boolean isUnavailable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException) {
                return true;
            }
        }
        var state = of(failure);
        return state != null
                && (state.startsWith("08")
                        || state.startsWith("53")
                        || state.startsWith("57")
                        || state.equals(READ_ONLY_TRANSACTION));
    }

    /** As {@link #isUnavailable}, and not because of the statement, as a timeout may be: whatever is asked of the database fails. */
    static boolean isAway(Throwable failure) {
        return isUnavailable(failure) && !is(failure, QUERY_CANCELED);
    }

    /** The same statement may succeed later: nothing is wrong with it. */
    public static boolean isTransient(Throwable failure) {
        return of(failure) == null
                || isUnavailable(failure)
                || wantsRetry(failure)
                || is(failure, IDLE_IN_TRANSACTION_TIMEOUT);
    }

    static boolean wantsRetry(Throwable failure) {
        return is(failure, SERIALIZATION_FAILURE) || is(failure, DEADLOCK_DETECTED);
    }
}
