package io.hiroba.platform.db;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/** An open transaction. Being handed one means: what you write here is committed together with the caller's work. */
public final class Tx extends Reads {

    private final List<Runnable> afterCommit = new ArrayList<>();

    Tx(Connection connection) {
        super(connection);
    }

    public Update update(String sql) {
        return new Update(connection, sql);
    }

    public Batch batch(String sql) {
        return new Batch(connection, sql);
    }

    /** The connection itself, for libraries that want one. Never commit, roll back or close it. */
    public Connection connection() {
        return connection;
    }

    /** Runs {@code action} once the transaction is durable; not at all if it is rolled back. It must not throw. */
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    void committed() {
        afterCommit.forEach(Runnable::run);
    }
}
