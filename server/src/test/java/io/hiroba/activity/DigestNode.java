package io.hiroba.activity;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.web.Templates;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestCard;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/** A node that sends digests, with a clock that can be set, and what is in its database. */
final class DigestNode implements AutoCloseable {

    private static final ZoneId ZONE = ZoneId.of("America/New_York");

    final TestAccounts accounts;
    final Digests digests;

    private final HttpConfig http;

    DigestNode(String publicUrl) {
        this(publicUrl, new MailConfig.Limits(10_000, 10_000, 10_000));
    }

    DigestNode(String publicUrl, MailConfig.Limits limits) {
        accounts = new TestAccounts(TestAccounts.CONFIG, MailConfig.DEFAULT.withLimits(limits));
        http = HttpConfig.onFreePort().withPublicUrl(publicUrl);
        digests = digests(accounts.db);
    }

    private Digests digests(Db db) {
        var letters = new DigestMails(new Templates(), new UnsubscribeTokens(new SecretStore(db)), Site.of(http));
        return new Digests(db, accounts.clock, ZONE, accounts.users, new Notifications(db), accounts.mailer, letters);
    }

    /** Another one over the same database. */
    record Another(Db db, Digests digests) implements AutoCloseable {

        @Override
        public void close() {
            db.close();
        }
    }

    Another anotherNode() {
        var db = Db.open(accounts.database.config());
        return new Another(db, digests(db));
    }

    /** A mail as it is queued. */
    record Mail(String to, String subject, String body, String html, String unsubscribe) {}

    List<Mail> mails() {
        return accounts.db.read(reads -> reads.query("""
                        SELECT to_address, subject, body, html, coalesce(list_unsubscribe, '') AS unsubscribe
                        FROM platform.mails ORDER BY id
                        """)
                .map(row -> new Mail(
                        row.getString("to_address"),
                        row.getString("subject"),
                        row.getString("body"),
                        row.getString("html"),
                        row.getString("unsubscribe")))
                .list());
    }

    /** Somebody whose digest is due now. */
    UserId subscriber(String nickname, DigestFrequency digest) {
        var user = accounts.user(nickname);
        accounts.db.useTransaction(tx -> tx.update("""
                        INSERT INTO activity.preferences (user_id, digest, next_digest_at)
                        VALUES (:user, :digest, :now)
                        """)
                .bind("user", user.value())
                .bind("digest", digest.text())
                .bind("now", accounts.clock.instant().minusSeconds(1).atOffset(ZoneOffset.UTC))
                .execute());
        return user;
    }

    /** A post without words. */
    void post(UserId owner, long id) {
        accounts.db.useTransaction(
                tx -> tx.update("""
                        INSERT INTO social.posts (id, snippet, owned_by, allow_likes, allow_replies)
                        VALUES (:id, '[]', :owner, true, true)
                        """).bind("id", id).bind("owner", owner.value()).execute());
    }

    void card(UserId reader, Slot slot, Duration ago, UserId... by) {
        var card = TestCard.of(reader, slot).updatedAt(accounts.clock.instant().minus(ago));
        for (var user : by) {
            card.by(user);
        }
        card.insert(accounts.db);
    }

    void readCard(UserId reader, Slot slot) {
        TestCard.of(reader, slot)
                .updatedAt(accounts.clock.instant())
                .by(reader)
                .read()
                .insert(accounts.db);
    }

    void setLanguage(UserId user, Language language) {
        accounts.users.setLanguage(user, language);
    }

    void setZone(UserId user, String zone) {
        accounts.db.useTransaction(tx -> tx.update("UPDATE accounts.users SET time_zone = :zone WHERE id = :user")
                .bind("zone", zone)
                .bind("user", user.value())
                .execute());
    }

    Instant next(UserId user) {
        return accounts.db.read(
                reads -> reads.query("SELECT next_digest_at FROM activity.preferences WHERE user_id = :user")
                        .bind("user", user.value())
                        .mapTo(OffsetDateTime.class)
                        .one()
                        .toInstant());
    }

    Instant nextAfter(DigestFrequency digest) {
        return DigestSchedule.next(digest, ZONE, accounts.clock.instant());
    }

    /** Time passes for the clock, and for the mails by moving their moments back. */
    void passTime(Duration time) {
        accounts.clock.advance(time);
        accounts.db.useTransaction(
                tx -> tx.update("""
                UPDATE platform.mails SET created_at = created_at - :ms * interval '1 ms'
                """).bind("ms", time.toMillis()).execute());
    }

    /** Has the database fail when it is noted what a digest of the user has told. */
    void failWhenNoted(UserId user, String failure) {
        accounts.db.useTransaction(tx -> {
            tx.update("""
                    CREATE FUNCTION activity.fail() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN %s; RETURN NEW; END $$
                    """.formatted(failure)).execute();
            tx.update("""
                    CREATE TRIGGER fail BEFORE UPDATE OF digested_until ON activity.preferences
                    FOR EACH ROW WHEN (NEW.user_id = %d) EXECUTE FUNCTION activity.fail()
                    """.formatted(user.value())).execute();
        });
    }

    void failNoMore() {
        accounts.db.useTransaction(
                tx -> tx.update("DROP TRIGGER fail ON activity.preferences").execute());
    }

    @Override
    public void close() {
        accounts.close();
    }
}
