package io.hiroba.platform.db;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Update;

/** An open transaction. Being handed one means: what you write here is committed together with the caller's work. */
public final class Tx extends Reads {

    private final List<Runnable> afterCommit = new ArrayList<>();

    Tx(Handle handle) {
        super(handle);
    }

    public Update update(String sql) {
        return handle.createUpdate(sql);
    }

    public PreparedBatch batch(String sql) {
        return handle.prepareBatch(sql);
    }

    /** The connection itself, for libraries that want one. Never commit, roll back or close it. */
    public Connection connection() {
        return handle.getConnection();
    }

    /** Runs {@code action} once the transaction is durable; not at all if it is rolled back. It must not throw. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    void committed() {
        afterCommit.forEach(Runnable::run);
    }
}
