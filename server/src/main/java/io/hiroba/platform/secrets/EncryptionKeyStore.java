package io.hiroba.platform.secrets;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of encryption keys, and of what is encrypted with them. */
final class EncryptionKeyStore {

    /** Lets one node at a time change the keys. Secrets are encrypted meanwhile. */
    void lock(Tx tx) {
        tx.update("LOCK TABLE platform.encryption_keys IN SHARE ROW EXCLUSIVE MODE")
                .execute();
    }

    /** A key that secrets may be encrypted with. */
    record KeyRow(String id, Instant createdAt) {}

    /** The newest first. */
    List<KeyRow> list(Reads reads) {
        return reads.query("SELECT id, created_at FROM platform.encryption_keys ORDER BY number DESC")
                .map(row -> new KeyRow(row.getString("id"), Columns.instant(row, "created_at")))
                .list();
    }

    void insert(Tx tx, String id) {
        tx.update("INSERT INTO platform.encryption_keys (id) VALUES (:id)")
                .bind("id", id)
                .execute();
    }

    /** The key that encrypts, which stays while {@code tx} lasts; none if it went while this waited. */
    Optional<String> holdNewest(Tx tx) {
        return tx.query("""
                SELECT id FROM platform.encryption_keys
                ORDER BY number DESC
                LIMIT 1
                FOR KEY SHARE
                """).mapTo(String.class).findOne();
    }

    /** Waits for transactions that encrypt with one of the former keys; returns these. */
    List<String> lockFormer(Tx tx, String newest) {
        return tx.query("SELECT id FROM platform.encryption_keys WHERE id <> :newest ORDER BY number FOR UPDATE")
                .bind("newest", newest)
                .mapTo(String.class)
                .list();
    }

    void delete(Tx tx, String id) {
        tx.update("DELETE FROM platform.encryption_keys WHERE id = :id")
                .bind("id", id)
                .execute();
    }

    /** The nodes that run, by the worker numbers that are leased. */
    int countNodes(Reads reads) {
        return reads.query("SELECT count(*) FROM platform.id_workers WHERE expires_at > now()")
                .mapTo(Integer.class)
                .one();
    }

    int countSecrets(Reads reads, EncryptedColumn column, byte[] header) {
        return reads.query("SELECT count(*) FROM " + column.table()
                        + " WHERE substring(secret FROM 1 FOR length(:header)) = :header")
                .bind("header", header)
                .mapTo(Integer.class)
                .one();
    }

    /** A secret, with what tells its row apart. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record SecretRow(String row, byte[] secret) {}

    /** Secrets that are not encrypted with the key of {@code header}, after {@code after}, locked. */
    List<SecretRow> lockOthers(Tx tx, EncryptedColumn column, byte[] header, String after, int limit) {
        return tx.query("""
                SELECT %1$s AS secret_row, secret FROM %2$s
                WHERE substring(secret FROM 1 FOR length(:header)) <> :header AND (%1$s) COLLATE "C" > :after
                ORDER BY (%1$s) COLLATE "C"
                LIMIT :limit
                FOR NO KEY UPDATE
                """.formatted(column.key(), column.table()))
                .bind("header", header)
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new SecretRow(row.getString("secret_row"), row.getBytes("secret")))
                .list();
    }

    void replace(Tx tx, EncryptedColumn column, String row, byte[] secret) {
        tx.update("UPDATE " + column.table() + " SET secret = :secret WHERE " + column.key() + " = :row")
                .bind("secret", secret)
                .bind("row", row)
                .execute();
    }
}
