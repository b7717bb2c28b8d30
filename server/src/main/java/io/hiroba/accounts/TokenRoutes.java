package io.hiroba.accounts;

import io.hiroba.accounts.TokenScope.Granted;
import io.hiroba.accounts.Tokens.IssuedToken;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The API of API tokens. Creating one takes no Idempotency-Key: its answer holds a secret, which must not be stored. */
final class TokenRoutes implements Routes {

    private final Tokens tokens;
    private final Duration lifetime;
    private final Sessions sessions;
    private final ClientAddress addresses;
    private final KeysetList<ApiToken, TokenId> list;

    /** @param lifetime of a token for whose end nothing is chosen */
    TokenRoutes(Tokens tokens, Duration lifetime, Sessions sessions, ClientAddress addresses, Cursors cursors) {
        this.tokens = tokens;
        this.lifetime = lifetime;
        this.sessions = sessions;
        this.addresses = addresses;
        this.list = new KeysetList<>(
                cursors,
                "tokens",
                50,
                100,
                cursor -> new TokenId(cursor.number(0)),
                token -> Cursor.of(Long.toString(token.id().value())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/tokens", this::create);
        routes.get("/api/v1/tokens", this::list);
        routes.delete("/api/v1/tokens/{id}", this::revoke);
        routes.get("/api/v1/users/{id}/tokens", this::listOf);
        routes.delete("/api/v1/users/{id}/tokens/{tokenId}", this::revokeOf);
    }

    private record CreateBody(
            String name,
            @Nullable List<String> scopes,
            @Nullable Instant expiresAt,
            @Nullable Boolean neverExpires,
            @Nullable String email,
            @Nullable String password,
            @Nullable String code) {}

    private record Issued(
            String id,
            String token,
            String name,
            @Nullable Set<String> scopes,
            @Nullable Instant expiresAt) {}

    private void create(Context ctx) {
        var request = Body.json(ctx, CreateBody.class);
        var scopes = request.scopes();
        var granted = scopes == null ? Granted.ALL : Granted.of(scopes);
        var issued = issue(ctx, request, new NewToken(request.name(), granted, expiry(request)));
        var token = issued.token();
        ctx.status(201)
                .header("Location", "/api/v1/tokens/" + token.id().hex())
                .json(new Issued(
                        token.id().hex(),
                        issued.secret(),
                        token.name(),
                        token.scopes().codes(),
                        token.expiresAt()));
    }

    private @Nullable Instant expiry(CreateBody request) {
        boolean never = Boolean.TRUE.equals(request.neverExpires());
        if (never && request.expiresAt() != null) {
            throw AccountsProblem.invalid("neverExpires", Text.of("accounts.field.never-expires"));
        }
        return never || request.expiresAt() != null ? request.expiresAt() : tokens.expiryIn(lifetime);
    }

    private IssuedToken issue(Context ctx, CreateBody request, NewToken token) {
        var email = request.email();
        var password = request.password();
        if (email == null) {
            var caller = Caller.of(ctx);
            if (password != null && caller.session().isPresent()) {
                sessions.confirm(caller, password);
            }
            return tokens.create(caller, token);
        }
        if (password == null) {
            throw AccountsProblem.invalid("password", Text.of("http.field.required"));
        }
        var code = Optional.ofNullable(request.code()).orElse("");
        return tokens.create(ClientInfo.of(ctx, addresses), Email.parse(email), password, code, token);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (before, limit) -> tokens.list(caller, before, limit))
                .map(TokenView::of));
    }

    private void revoke(Context ctx) {
        tokens.revoke(Caller.of(ctx), TokenId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private void listOf(Context ctx) {
        var caller = Caller.of(ctx);
        var owner = UserId.parse(ctx.pathParam("id"));
        ctx.json(list.page(ctx, (before, limit) -> tokens.listOf(caller, owner, before, limit))
                .map(TokenView::of));
    }

    private void revokeOf(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var confirmation = sessions.confirmAdmin(caller, SecondFactorRoutes.password(ctx));
        tokens.revokeOf(
                caller, UserId.parse(ctx.pathParam("id")), TokenId.parse(ctx.pathParam("tokenId")), confirmation);
        ctx.status(204);
    }

    private record TokenView(
            String id,
            String name,
            @Nullable Set<String> scopes,
            Instant createdAt,
            @Nullable Instant lastUsedAt,
            @Nullable Instant expiresAt) {

        static TokenView of(ApiToken token) {
            return new TokenView(
                    token.id().hex(),
                    token.name(),
                    token.scopes().codes(),
                    token.createdAt(),
                    token.lastUsedAt(),
                    token.expiresAt());
        }
    }
}
