package io.hiroba.platform.mail;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads and writes the mail queue. */
final class MailStore {

    /** Queues a mail that is sent after {@code pause}. */
    void insert(Tx tx, long id, NewMail mail, Duration pause) {
        var lifetime = mail.lifetime();
        tx.update("""
                INSERT INTO platform.mails
                    (id, to_address, subject, body, html, list_unsubscribe, created_at, not_before, expires_at)
                VALUES
                    (:id, :to, :subject, :body, :html, :unsubscribe, statement_timestamp(),
                     statement_timestamp() + :pause * interval '1 ms',
                     statement_timestamp() + CAST(:lifetime AS bigint) * interval '1 ms')
                """)
                .bind("id", id)
                .bind("to", mail.to())
                .bind("subject", mail.subject())
                .bind("body", mail.text())
                .bind("html", mail.html())
                .bind("unsubscribe", mail.listUnsubscribe())
                .bind("pause", pause.toMillis())
                .bind("lifetime", lifetime == null ? null : lifetime.toMillis())
                .execute();
    }

    void insertWithheld(Tx tx, long id, String to) {
        tx.update("""
                INSERT INTO platform.mails (id, to_address, subject, body, created_at, not_before, withheld)
                VALUES (:id, :to, '', '', statement_timestamp(), statement_timestamp(), true)
                """).bind("id", id).bind("to", to).execute();
    }

    /**
     * Serializes transactions that queue a mail, so that a count is still correct when the next row is inserted. At the rate of
     * the limits nobody waits.
     */
    void lockLimits(Tx tx) {
        tx.lock("platform.mails.limits", "");
    }

    /**
     * The time until a mail to {@code to} is within all limits; empty if it is now. A limit of n is reached while the
     * n-th newest mail is younger than a minute.
     */
    Optional<Duration> untilAdmitted(Reads reads, String to, MailConfig.Limits limits) {
        return reads.query("""
                        SELECT (extract(epoch FROM greatest(
                            (SELECT created_at FROM platform.mails
                             WHERE lower(to_address) = lower(:to)
                               AND created_at > statement_timestamp() - interval '1 minute'
                             ORDER BY created_at DESC OFFSET :perAddress - 1 LIMIT 1),
                            (SELECT created_at FROM platform.mails
                             WHERE to_domain = :domain
                               AND created_at > statement_timestamp() - interval '1 minute'
                             ORDER BY created_at DESC OFFSET :perDomain - 1 LIMIT 1),
                            (SELECT created_at FROM platform.mails
                             WHERE created_at > statement_timestamp() - interval '1 minute'
                             ORDER BY created_at DESC OFFSET :inAll - 1 LIMIT 1)
                        ) + interval '1 minute' - statement_timestamp()) * 1000)::bigint AS wait_ms
                        """)
                .bind("to", to)
                .bind("domain", MailAddress.domain(to))
                .bind("perAddress", limits.perAddress())
                .bind("perDomain", limits.perDomain())
                .bind("inAll", limits.inAll())
                .map(row -> Optional.ofNullable(row.getObject("wait_ms", Long.class))
                        .map(Duration::ofMillis))
                .one();
    }

    /** Claims the mail that has been due for longest. The claim counts as an attempt, which bounds mails that crash nodes. */
    Optional<QueuedMail> claim(Tx tx, Duration lease) {
        return tx.query("""
                        WITH due AS (
                            SELECT id FROM platform.mails
                            WHERE waiting
                              AND not_before <= statement_timestamp()
                              AND (claimed_until IS NULL OR claimed_until < statement_timestamp())
                            ORDER BY not_before, id
                            LIMIT 1
                            FOR UPDATE SKIP LOCKED)
                        UPDATE platform.mails AS m
                        SET claimed_until = statement_timestamp() + :lease * interval '1 ms', attempts = m.attempts + 1
                        FROM due
                        WHERE m.id = due.id
                        RETURNING m.id, m.to_address, m.subject, m.body, m.html, m.list_unsubscribe, m.created_at,
                                  m.attempts, coalesce(m.expires_at <= statement_timestamp(), false) AS expired
                        """)
                .bind("lease", lease.toMillis())
                .map(row -> queued(row))
                .findOne();
    }

    /** Records that the mail was sent, even if another node has claimed it since. */
    boolean sent(Tx tx, QueuedMail mail, boolean keepText) {
        return tx.update("""
                UPDATE platform.mails
                SET sent_at = statement_timestamp(), failed_at = NULL, claimed_until = NULL, error = NULL,
                    body = CASE WHEN :keep THEN body ELSE '' END,
                    html = CASE WHEN :keep THEN html END
                WHERE id = :id AND sent_at IS NULL
                """).bind("id", mail.id()).bind("keep", keepText).execute() == 1;
    }

    /** Reschedules the mail, unless another node has claimed it since. */
    void retry(Tx tx, QueuedMail mail, Duration pause, String error) {
        tx.update("""
                UPDATE platform.mails
                SET not_before = statement_timestamp() + :pause * interval '1 ms', claimed_until = NULL, error = :error
                WHERE id = :id AND attempts = :attempt AND waiting
                """)
                .bind("id", mail.id())
                .bind("attempt", mail.attempt())
                .bind("pause", pause.toMillis())
                .bind("error", error)
                .execute();
    }

    /** Marks the mail as failed, unless another node has claimed it since. */
    void failed(Tx tx, QueuedMail mail, String error) {
        tx.update("""
                UPDATE platform.mails
                SET failed_at = statement_timestamp(), claimed_until = NULL, error = :error, body = '', html = NULL
                WHERE id = :id AND attempts = :attempt AND waiting
                """)
                .bind("id", mail.id())
                .bind("attempt", mail.attempt())
                .bind("error", error)
                .execute();
    }

    List<RecentMail> recent(Reads reads, int limit) {
        return reads.query("""
                SELECT id, to_address, subject,
                       CASE WHEN sent_at IS NULL OR expires_at <= statement_timestamp() THEN '' ELSE body END AS body,
                       created_at, sent_at, error
                FROM platform.mails
                WHERE NOT withheld
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("limit", limit)
                .map(row -> new RecentMail(
                        row.getLong("id"),
                        row.getString("to_address"),
                        row.getString("subject"),
                        row.getString("body"),
                        Columns.instant(row, "created_at"),
                        Columns.instantOrNull(row, "sent_at"),
                        row.getString("error")))
                .list();
    }

    Duration oldestWaiting(Reads reads) {
        return reads.query("""
                        SELECT coalesce(extract(epoch FROM statement_timestamp() - min(created_at)) * 1000, 0)::bigint
                        FROM platform.mails
                        WHERE waiting
                        """).map(row -> Duration.ofMillis(row.getLong(1))).one();
    }

    int waiting(Reads reads, int max) {
        return reads.query("SELECT count(*) FROM (SELECT FROM platform.mails WHERE waiting LIMIT :max) m")
                .bind("max", max)
                .mapTo(Integer.class)
                .one();
    }

    /** Blanks up to {@code batch} mails that are of no use any more, such as codes that expired; returns how many. */
    int blankExpired(Tx tx, int batch) {
        return tx.update("""
                UPDATE platform.mails
                SET body = '', html = NULL
                WHERE id IN (
                    SELECT id FROM platform.mails
                    WHERE expires_at <= statement_timestamp() AND body <> '' AND NOT waiting
                    ORDER BY expires_at
                    LIMIT :batch
                    FOR UPDATE SKIP LOCKED)
                """).bind("batch", batch).execute();
    }

    /** Blanks sent mails to {@code to} that would expire: what they were for was used. */
    void blankUsed(Tx tx, String to) {
        tx.update("""
                UPDATE platform.mails
                SET body = '', html = NULL
                WHERE lower(to_address) = lower(:to) AND expires_at IS NOT NULL AND body <> '' AND NOT waiting
                """).bind("to", to).execute();
    }

    int sweep(Tx tx, Duration age, int batch) {
        return tx.update("""
                DELETE FROM platform.mails
                WHERE id IN (
                    SELECT id FROM platform.mails
                    WHERE created_at < statement_timestamp() - :age * interval '1 ms' AND NOT waiting
                    ORDER BY created_at
                    LIMIT :batch
                    FOR UPDATE SKIP LOCKED)
                """).bind("age", age.toMillis()).bind("batch", batch).execute();
    }

    private static QueuedMail queued(ResultSet row) throws SQLException {
        var mail = new NewMail(
                row.getString("to_address"),
                row.getString("subject"),
                row.getString("body"),
                row.getString("html"),
                row.getString("list_unsubscribe"),
                null);
        return new QueuedMail(
                row.getLong("id"),
                mail,
                Columns.instant(row, "created_at"),
                row.getInt("attempts"),
                row.getBoolean("expired"));
    }
}
