package io.hiroba.accounts;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.task.RetentionSweep;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The browsers in which the owner of an account has signed in before, recognised by a random secret in a cookie. It opens
 * nothing: wrong passwords from there have an allowance of their own, so that those of strangers do not lock the owner out.
 */
final class KnownDevices {

    private static final String COOKIE = "hiroba_device";
    private static final Duration LIFETIME = Duration.ofDays(365);
    private static final int MAX_PER_USER = 20;

    private final Db db;
    private final InstantSource clock;
    private final Users users;
    private final Mailer mailer;
    private final boolean secure;
    private final KnownDeviceStore store = new KnownDeviceStore();

    /** @param secure whether people reach the server through TLS only */
    KnownDevices(Db db, InstantSource clock, Users users, Mailer mailer, boolean secure) {
        this.db = db;
        this.clock = clock;
        this.users = users;
        this.mailer = mailer;
        this.secure = secure;
    }

    /** The secret in the cookie of a request. */
    static Optional<BearerSecret> read(Context ctx) {
        return Optional.ofNullable(ctx.cookie(COOKIE))
                .map(BearerSecret::new)
                .filter(secret -> secret.isWellFormed(BearerSecret.DEVICE));
    }

    boolean isKnown(BearerSecret device, Email account) {
        return db.read(
                reads -> store.isKnown(reads, device, account, clock.instant().minus(LIFETIME)));
    }

    /**
     * Remembers the browser of a request, in which {@code user} has just been authenticated. It gets a new secret each time, for
     * all accounts that it is known to, so that one that was planted or copied is soon worth nothing.
     */
    void remember(Context ctx, UserId user) {
        setCookie(ctx, db.inTransaction(tx -> remember(tx, ctx, user)));
    }

    /**
     * As {@link #remember(Context, UserId)}, and lets the owner know by mail of the first log-in with a browser that the account
     * does not know, where it knows others.
     *
     * @param name the browser, for the mail
     */
    void remember(Context ctx, UserId user, ClientInfo client, Text name) {
        setCookie(ctx, db.inTransaction(tx -> {
            boolean isNew = store.isNew(tx, read(ctx).orElse(null), user);
            var secret = remember(tx, ctx, user);
            if (isNew) {
                users.find(tx, user)
                        .ifPresent(owner -> mailer.sendWithoutFail(
                                tx,
                                VerificationMails.newDevice(
                                        users.language(tx, user), owner.user().email(), name, client)));
            }
            return secret;
        }));
    }

    private BearerSecret remember(Tx tx, Context ctx, UserId user) {
        var secret = BearerSecret.random(BearerSecret.DEVICE);
        read(ctx).ifPresent(former -> store.replace(tx, former, secret));
        store.upsert(tx, secret, user, clock.instant());
        store.deleteAllBut(tx, user, MAX_PER_USER);
        return secret;
    }

    private void setCookie(Context ctx, BearerSecret secret) {
        ctx.cookie(
                new Cookie(COOKIE, secret.text(), "/", (int) LIFETIME.toSeconds(), secure, true, null, SameSite.LAX));
    }

    /** Deletes devices that were not used for a year. */
    void sweep() {
        RetentionSweep.run(limit ->
                db.inTransaction(tx -> store.deleteExpired(tx, clock.instant().minus(LIFETIME), limit)));
    }
}
