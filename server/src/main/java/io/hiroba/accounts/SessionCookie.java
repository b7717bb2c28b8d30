package io.hiroba.accounts;

import io.hiroba.accounts.Sessions.StartedSession;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.time.Duration;
import java.util.Optional;

/**
 * The cookies of a browser in which somebody signs in, HttpOnly and SameSite: the secret of the session, that by which the
 * browser is known, and that of a log-in that waits for the second factor.
 */
public final class SessionCookie {

    /** Where people come without TLS. */
    private static final String NAME = "hiroba_session";

    /** Browsers take it by TLS from this very host alone, so that no other host of the domain can plant one. */
    private static final String HOST_NAME = "__Host-hiroba_session";

    private static final String PENDING = "hiroba_log_in";
    private static final String PENDING_PATH = "/login";

    private static final String PROLONGED = "hiroba.session.prolonged";

    private final boolean secure;
    private final Duration lifetime;
    private final KnownDevices devices;

    /** @param secure whether people reach the server through TLS only */
    SessionCookie(boolean secure, Duration lifetime, KnownDevices devices) {
        this.secure = secure;
        this.lifetime = lifetime;
        this.devices = devices;
    }

    public void set(Context ctx, StartedSession signedIn) {
        set(ctx, signedIn.secret());
    }

    /** Lets the account know the browser in which its owner has just been authenticated. */
    public void rememberDevice(Context ctx, UserId user) {
        devices.remember(ctx, user);
    }

    /**
     * As above, and lets the owner know of a browser that is new to the account.
     *
     * @param name the browser, for the mail
     */
    public void rememberDevice(Context ctx, UserId user, ClientInfo client, Text name) {
        devices.remember(ctx, user, client, name);
    }

    /** Remembers that the session's end was put off, so that the cookie's is as well. */
    static void prolongLater(Context ctx) {
        ctx.attribute(PROLONGED, true);
    }

    /**
     * Puts off the end of the cookie with that of the session, and gives it the name that it should have, unless the answer sets or
     * clears it anyway.
     */
    void prolong(Context ctx) {
        boolean isDue = ctx.attribute(PROLONGED) != null || isToBeRenamed(ctx);
        if (isDue && ctx.res().getHeaders("Set-Cookie").stream().noneMatch(set -> set.startsWith(name() + "="))) {
            read(ctx).ifPresent(secret -> set(ctx, secret.text()));
        }
    }

    /** Whether the session came in the cookie of an earlier version, which had one name for all sites. */
    private boolean isToBeRenamed(Context ctx) {
        return secure
                && ctx.cookie(HOST_NAME) == null
                && ctx.cookie(NAME) != null
                && Caller.find(ctx).flatMap(Caller::session).isPresent();
    }

    private void set(Context ctx, String secret) {
        put(ctx, secret, (int) Math.min(lifetime.toSeconds(), Integer.MAX_VALUE));
    }

    public void clear(Context ctx) {
        put(ctx, "", 0);
    }

    private void put(Context ctx, String secret, int seconds) {
        ctx.cookie(cookie(name(), secret, seconds));
        if (secure && ctx.cookie(NAME) != null) {
            ctx.cookie(cookie(NAME, "", 0));
        }
    }

    private String name() {
        return secure ? HOST_NAME : NAME;
    }

    /** Sets the secret of a log-in that waits for the second factor; empty to clear it. */
    public void setPending(Context ctx, String secret) {
        int seconds = secret.isEmpty() ? 0 : (int) LogInSteps.LIFETIME.toSeconds();
        ctx.cookie(new Cookie(PENDING, secret, PENDING_PATH, seconds, secure, true, null, SameSite.LAX));
    }

    /** The secret of a log-in that waits for the second factor; empty if there is none. */
    public static String pending(Context ctx) {
        return Optional.ofNullable(ctx.cookie(PENDING)).orElse("");
    }

    /** The secret of the session; the plain name is good for no session that was begun under the other. */
    static Optional<BearerSecret> read(Context ctx) {
        return Optional.ofNullable(ctx.cookie(HOST_NAME))
                .map(BearerSecret::new)
                .or(() -> Optional.ofNullable(ctx.cookie(NAME))
                        .map(BearerSecret::new)
                        .filter(secret -> !secret.isWellFormed(BearerSecret.HOST_SESSION)));
    }

    private Cookie cookie(String name, String value, int seconds) {
        return new Cookie(name, value, "/", seconds, secure, true, null, SameSite.LAX);
    }
}
