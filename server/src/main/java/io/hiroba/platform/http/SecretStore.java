package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import java.security.SecureRandom;

/** Keys that all nodes share, kept in the database and made at random by the first node that asks for one. */
public final class SecretStore {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LENGTH = 32;

    private final Db db;

    public SecretStore(Db db) {
        this.db = db;
    }

    /** The secret called {@code name}: 32 bytes, the same on every node and after every restart. */
    public byte[] get(String name) {
        var candidate = new byte[LENGTH];
        RANDOM.nextBytes(candidate);
        return db.inTransaction(tx -> {
            tx.update("""
                            INSERT INTO platform.secrets (name, value)
                            VALUES (:name, :value)
                            ON CONFLICT (name) DO NOTHING
                            """).bind("name", name).bind("value", candidate).execute();
            return tx.query("""
                            SELECT value
                            FROM platform.secrets
                            WHERE name = :name
                            """).bind("name", name).mapTo(byte[].class).one();
        });
    }
}
