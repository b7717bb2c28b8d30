package io.hiroba.accounts;

import io.hiroba.accounts.Sessions.StartedSession;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.time.Duration;
import java.util.Optional;

/** The cookie with the secret of a session: HttpOnly and SameSite. */
public final class SessionCookie {

    static final String NAME = "hiroba_session";

    private static final String PROLONGED = "hiroba.session.prolonged";

    private final boolean secure;
    private final Duration lifetime;

    /** @param secure whether people reach the server through TLS only */
    SessionCookie(boolean secure, Duration lifetime) {
        this.secure = secure;
        this.lifetime = lifetime;
    }

    public void set(Context ctx, StartedSession signedIn) {
        set(ctx, signedIn.secret());
    }

    /** Remembers that the session's end was put off, so that the cookie's is as well. */
    static void prolongLater(Context ctx) {
        ctx.attribute(PROLONGED, true);
    }

    /** Puts off the end of the cookie with that of the session, unless the answer sets or clears it anyway. */
    void prolong(Context ctx) {
        if (ctx.attribute(PROLONGED) != null
                && ctx.res().getHeaders("Set-Cookie").stream().noneMatch(set -> set.startsWith(NAME + "="))) {
            read(ctx).ifPresent(secret -> set(ctx, secret.text()));
        }
    }

    private void set(Context ctx, String secret) {
        ctx.cookie(cookie(secret, (int) Math.min(lifetime.toSeconds(), Integer.MAX_VALUE)));
    }

    public void clear(Context ctx) {
        ctx.cookie(cookie("", 0));
    }

    static Optional<BearerSecret> read(Context ctx) {
        return Optional.ofNullable(ctx.cookie(NAME)).map(BearerSecret::new);
    }

    private Cookie cookie(String value, int seconds) {
        return new Cookie(NAME, value, "/", seconds, secure, true, null, SameSite.LAX);
    }
}
