package io.hiroba.platform.db;

import io.hiroba.platform.trace.TraceSpan;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** An open transaction. What a method writes through it is committed with the work of its caller. */
public final class Tx extends Reads {

    private final List<Runnable> afterCommit = new ArrayList<>();

    Tx(Connection connection) {
        super(connection);
    }

    public Update update(String sql) {
        return new Update(this, sql);
    }

    public Batch batch(String sql) {
        return new Batch(this, sql);
    }

    /** The connection itself, for libraries that need one. Never commit, roll back or close it. */
    public Connection connection() {
        return connection;
    }

    /** Does work whose writes are undone if it throws, so that the transaction can go on without them. */
    public void attempt(Runnable work) {
        int before = afterCommit.size();
        try {
            var savepoint = connection.setSavepoint();
            try {
                work.run();
                connection.releaseSavepoint(savepoint);
            } catch (Throwable failure) {
                connection.rollback(savepoint);
                afterCommit.subList(before, afterCommit.size()).clear();
                throw failure;
            }
        } catch (SQLException e) {
            throw new DbException(e);
        }
    }

    /** Runs {@code action} once the transaction is durable; not at all if it is rolled back. It must not throw. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /**
     * Waits while another transaction has locked {@code what} of {@code key}, and keeps it locked until this one ends. The lock
     * has two 32-bit keys: the event log uses the key space of single 64-bit keys.
     */
    public void lock(String what, String key) {
        query("SELECT pg_advisory_xact_lock(hashtext(:what), hashtext(:key)) IS NULL")
                .bind("what", what)
                .bind("key", key)
                .mapTo(Boolean.class)
                .one();
    }

    /** Has events that are appended from now on carry the span that this thread works for, if it is recorded. */
    public void joinTrace() {
        var context = TraceSpan.current().recordedTraceparent();
        if (context != null) {
            query("SELECT set_config('hiroba.traceparent', :context, true)")
                    .bind("context", context)
                    .mapTo(String.class)
                    .list();
        }
    }

    void committed() {
        afterCommit.forEach(Runnable::run);
    }
}
