package io.hiroba.platform.db;

import java.sql.Connection;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to read through. Outside a {@link Tx} each statement sees its own snapshot, so what must agree is one
 * statement.
 */
public sealed class Reads permits Tx {

    final Connection connection;
    private final List<Notice> notices = new ArrayList<>(0);

    Reads(Connection connection) {
        this.connection = connection;
    }

    /**
     * A message of a function of ours in the database.
     *
     * @param code a SQLSTATE that begins with {@link #CLASS}
     */
    record Notice(String code, String message) {
        static final String CLASS = "HB";
    }

    void keepNotices(@Nullable SQLWarning first) {
        for (var warning = first; warning != null; warning = warning.getNextWarning()) {
            var code = warning.getSQLState();
            if (code != null && code.startsWith(Notice.CLASS)) {
                notices.add(new Notice(code, String.valueOf(warning.getMessage())));
            }
        }
    }

    List<Notice> notices() {
        return notices;
    }

    public Query query(String sql) {
        return new Query(this, sql, false);
    }

    /** As {@link #query}, for a statement whose best plan depends on its values: it is planned for each execution. */
    public Query queryPlannedAnew(String sql) {
        return new Query(this, sql, true);
    }
}
