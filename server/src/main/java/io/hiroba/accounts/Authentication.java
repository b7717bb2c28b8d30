package io.hiroba.accounts;

import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Identity;
import io.hiroba.platform.http.OpenPaths;
import io.hiroba.platform.http.OperationScopes;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates requests, with one query at most: by the bearer token if there is one, else by the session cookie. A request
 * with an invalid token has no caller, even beside a valid cookie: the CSRF check lets bearer tokens pass.
 */
public final class Authentication implements Identity, Routes {

    private static final String DONE = "hiroba.authenticated";
    private static final String SCHEME = "Bearer ";
    private static final String BASIC = "Basic ";
    private static final String PROJECTS = "/api/v1/projects/";

    /** The paths of spreadsheets, many of which can send a user name and a password only: a token is the password. */
    private static final String ODATA = "/odata/";

    private final Sessions sessions;
    private final Tokens tokens;
    private final ClientAddress addresses;
    private final Map<BearerSecret, Caller> acting = new ConcurrentHashMap<>();

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
        routes.beforeMatched(Authentication::requireScope);
    }

    /**
     * Holds a token with some scopes to the one that the document gives the operation. Where the document gives none, as for pages,
     * such a token is as good as none: nothing is open to it because somebody forgot to say so.
     */
    private static void requireScope(Context ctx) {
        var caller = Caller.find(ctx).orElse(null);
        if (caller == null || caller.scopes().isAll()) {
            return;
        }
        var required = OperationScopes.of(ctx).orElse(null);
        if (required == null) {
            Caller.forget(ctx);
        } else if (!required.isEmpty()) {
            within(ctx, caller, TokenScope.find(required).orElseThrow()).rememberIn(ctx);
        }
    }

    private static Caller within(Context ctx, Caller caller, TokenScope scope) {
        try {
            return caller.within(scope, project(ctx));
        } catch (AccountsProblem refusal) {
            ctx.header("WWW-Authenticate", "Bearer error=\"insufficient_scope\", scope=\"" + scope.code() + '"');
            throw refusal;
        }
    }

    /** The project of records that the path names. */
    private static @Nullable String project(Context ctx) {
        var path = ctx.path();
        return Stream.of(PROJECTS, ODATA)
                .filter(path::startsWith)
                .map(prefix -> path.substring(prefix.length()).split("/", 2)[0])
                .findFirst()
                .orElse(null);
    }

    @Override
    public Optional<String> of(Context ctx) {
        resolve(ctx);
        return Caller.find(ctx).map(caller -> caller.user().hex());
    }

    @Override
    public Optional<String> client(Context ctx) {
        resolve(ctx);
        return Caller.find(ctx)
                .map(caller -> caller.via() instanceof Caller.ByToken
                        ? RateLimiter.byToken(caller.user().hex())
                        : caller.user().hex());
    }

    /**
     * Does {@code work} with an {@code Authorization} by which calls within this process come from {@code caller}, as long as it
     * lasts. No other node knows it, and nobody is told.
     */
    public <T> T as(Caller caller, Function<String, T> work) {
        var secret = BearerSecret.random(BearerSecret.TOKEN);
        acting.put(secret, caller);
        try {
            return work.apply(SCHEME + secret.text());
        } finally {
            acting.remove(secret);
        }
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
                : SessionCookie.read(ctx).filter(BearerSecret::isSession).isPresent();
    }

    private Optional<Caller> caller(Context ctx) {
        var bearer = bearer(ctx);
        return bearer.isPresent()
                ? Optional.ofNullable(acting.get(bearer.get())).or(() -> tokens.resolve(bearer.get()))
                : SessionCookie.read(ctx)
                        .flatMap(secret -> sessions.resolve(secret, () -> SessionCookie.prolongLater(ctx)));
    }

    private static Optional<BearerSecret> bearer(Context ctx) {
        var authorization = Optional.ofNullable(ctx.header("Authorization"));
        return ctx.path().startsWith(ODATA)
                ? authorization.flatMap(header -> bearer(header).or(() -> basic(header)))
                : authorization.flatMap(Authentication::bearer);
    }

    /** The token that is the password of {@code Basic}, with any user name. */
    private static Optional<BearerSecret> basic(String authorization) {
        if (!authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return Optional.empty();
        }
        try {
            var pair = new String(
                    Base64.getDecoder()
                            .decode(authorization.substring(BASIC.length()).strip()),
                    StandardCharsets.UTF_8);
            return Optional.of(
                    new BearerSecret(pair.substring(pair.indexOf(':') + 1).strip()));
        } catch (IllegalArgumentException e) {
            return Optional.of(new BearerSecret(""));
        }
    }

    /** The token in the value of the header {@code Authorization}. */
    static Optional<BearerSecret> bearer(String authorization) {
        return Optional.of(authorization)
                .filter(header -> header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(header ->
                        new BearerSecret(header.substring(SCHEME.length()).strip()));
    }
}
