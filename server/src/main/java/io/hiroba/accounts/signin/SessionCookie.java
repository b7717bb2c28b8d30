package io.hiroba.accounts.signin;

import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.time.Duration;
import java.util.Optional;

/** The cookie that carries a session's secret: out of reach for scripts, not sent along with another site's posts. */
public final class SessionCookie {

    static final String NAME = "hiroba_session";

    private final boolean secure;
    private final Duration lifetime;

    /** @param secure whether people reach the server through TLS only */
    public SessionCookie(boolean secure, Duration lifetime) {
        this.secure = secure;
        this.lifetime = lifetime;
    }

    public void set(Context ctx, SignedIn signedIn) {
        ctx.cookie(cookie(signedIn.secret(), (int) Math.min(lifetime.toSeconds(), Integer.MAX_VALUE)));
    }

    public void clear(Context ctx) {
        ctx.cookie(cookie("", 0));
    }

    static Optional<Secret> read(Context ctx) {
        return Optional.ofNullable(ctx.cookie(NAME)).map(Secret::new);
    }

    private Cookie cookie(String value, int seconds) {
        return new Cookie(NAME, value, "/", seconds, secure, true, null, SameSite.LAX);
    }
}
