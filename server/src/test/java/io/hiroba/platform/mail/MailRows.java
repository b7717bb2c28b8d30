package io.hiroba.platform.mail;

import io.hiroba.platform.db.Db;
import java.time.Duration;
import java.util.List;

/** The rows of mails in the database, for tests: time passes for them by moving their moments back. */
final class MailRows {

    private final Db db;

    MailRows(Db db) {
        this.db = db;
    }

    void clear() {
        db.useTransaction(tx -> tx.update("DELETE FROM platform.mails").execute());
    }

    void passTime(Duration time) {
        db.useTransaction(tx -> tx.update("""
                UPDATE platform.mails
                SET created_at = created_at - :ms * interval '1 ms',
                    not_before = not_before - :ms * interval '1 ms',
                    expires_at = expires_at - :ms * interval '1 ms',
                    claimed_until = claimed_until - :ms * interval '1 ms',
                    sent_at = sent_at - :ms * interval '1 ms'
                """).bind("ms", time.toMillis()).execute());
    }

    /** Runs once the mail has been attempted that often and nobody is at it. */
    boolean isPutOff(int attempts) {
        return count("waiting AND claimed_until IS NULL AND attempts = " + attempts) == 1;
    }

    Duration pause() {
        return db.read(reads ->
                reads.query("""
                SELECT (extract(epoch FROM not_before - now()) * 1000)::bigint FROM platform.mails WHERE waiting
                """).map(row -> Duration.ofMillis(row.getLong(1))).one());
    }

    int count(String condition) {
        return db.read(reads -> reads.query("SELECT count(*) FROM platform.mails WHERE " + condition)
                .mapTo(Integer.class)
                .one());
    }

    List<String> bodies() {
        return db.read(reads -> reads.query("SELECT body FROM platform.mails ORDER BY id")
                .mapTo(String.class)
                .list());
    }
}
