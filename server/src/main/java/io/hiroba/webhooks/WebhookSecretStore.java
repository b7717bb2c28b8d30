package io.hiroba.webhooks;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.secrets.EncryptedColumn;
import java.time.Duration;
import java.util.List;

/** Rows of the secrets of webhooks, encrypted. */
final class WebhookSecretStore {

    static final EncryptedColumn COLUMN = new EncryptedColumn("webhooks.secrets", "CAST(id AS text)");

    /** An encrypted secret. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record SecretRow(long id, byte[] secret) {}

    void insert(Tx tx, long id, long webhook, byte[] secret) {
        tx.update("INSERT INTO webhooks.secrets (id, webhook_id, secret) VALUES (:id, :webhook, :secret)")
                .bind("id", id)
                .bind("webhook", webhook)
                .bind("secret", secret)
                .execute();
    }

    /** Lets those that are there go on for a while, the last of them only. */
    void expire(Tx tx, long webhook, Duration grace) {
        tx.update("DELETE FROM webhooks.secrets WHERE webhook_id = :webhook AND expires_at IS NOT NULL")
                .bind("webhook", webhook)
                .execute();
        tx.update("""
                        UPDATE webhooks.secrets SET expires_at = now() + :grace * interval '1 ms' WHERE webhook_id = :webhook
                        """).bind("webhook", webhook).bind("grace", grace.toMillis()).execute();
    }

    /** The newest first. */
    List<SecretRow> valid(Reads reads, long webhook) {
        return reads.query("""
                        SELECT id, secret FROM webhooks.secrets
                        WHERE webhook_id = :webhook AND coalesce(expires_at > now(), true)
                        ORDER BY id DESC
                        """)
                .bind("webhook", webhook)
                .map(row -> new SecretRow(row.getLong("id"), row.getBytes("secret")))
                .list();
    }
}
