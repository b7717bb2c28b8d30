package io.hiroba.accounts;

import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Identity;
import io.hiroba.platform.http.OpenPaths;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;

/**
 * Authenticates requests, with one query at most: by the bearer token if there is one, else by the session cookie. A request
 * with an invalid token has no caller, even beside a valid cookie: the CSRF check lets bearer tokens pass.
 */
public final class Authentication implements Identity, Routes {

    private static final String DONE = "hiroba.authenticated";
    private static final String SCHEME = "Bearer ";

    private final Sessions sessions;
    private final Tokens tokens;
    private final ClientAddress addresses;

    /** Behind no proxy. */
    public Authentication(Sessions sessions, Tokens tokens) {
        this(sessions, tokens, new ClientAddress(List.of()));
    }

    Authentication(Sessions sessions, Tokens tokens, ClientAddress addresses) {
        this.sessions = sessions;
        this.tokens = tokens;
        this.addresses = addresses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.before("/*", this::resolve);
    }

    @Override
    public Optional<String> of(Context ctx) {
        resolve(ctx);
        return Caller.find(ctx).map(caller -> caller.user().hex());
    }

    private void resolve(Context ctx) {
        if (ctx.attribute(DONE) == null && !OpenPaths.include(ctx.path())) {
            ctx.attribute(DONE, true);
            // After the cache of callers: each request has an origin of its own.
            caller(ctx)
                    .map(caller -> caller.from(Caller.Origin.of(ctx, addresses)))
                    .ifPresent(caller -> caller.rememberIn(ctx));
        }
    }

    @Override
    public boolean isClaimed(Context ctx) {
        var bearer = bearer(ctx);
        return bearer.isPresent()
                ? bearer.get().isWellFormed(BearerSecret.TOKEN)
                : SessionCookie.read(ctx)
                        .filter(secret -> secret.isWellFormed(BearerSecret.SESSION))
                        .isPresent();
    }

    private Optional<Caller> caller(Context ctx) {
        var bearer = bearer(ctx);
        return bearer.isPresent()
                ? tokens.resolve(bearer.get())
                : SessionCookie.read(ctx)
                        .flatMap(secret -> sessions.resolve(secret, () -> SessionCookie.prolongLater(ctx)));
    }

    private static Optional<BearerSecret> bearer(Context ctx) {
        return Optional.ofNullable(ctx.header("Authorization")).flatMap(Authentication::bearer);
    }

    /** The token in the value of the header {@code Authorization}. */
    static Optional<BearerSecret> bearer(String authorization) {
        return Optional.of(authorization)
                .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(header ->
                        new BearerSecret(header.substring(SCHEME.length()).strip()));
    }
}
