package io.hiroba.accounts.signin;

import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.TokenId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** API tokens over HTTP. Making one takes no Idempotency-Key: its answer holds a secret, which must not be stored. */
public final class TokenRoutes implements Routes {

    private static final String LIST = "tokens";

    private final Tokens tokens;
    private final ClientAddress addresses;
    private final Cursors cursors;

    public TokenRoutes(Tokens tokens, ClientAddress addresses, Cursors cursors) {
        this.tokens = tokens;
        this.addresses = addresses;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/tokens", this::create);
        routes.get("/api/v1/tokens", this::list);
        routes.delete("/api/v1/tokens/{id}", this::revoke);
    }

    private record Creation(
            String name,
            @Nullable Instant expiresAt,
            @Nullable String email,
            @Nullable String password) {}

    private record Issued(
            String id, String token, String name, @Nullable Instant expiresAt) {}

    private void create(Context ctx) {
        var request = Body.json(ctx, Creation.class);
        var issued = issue(ctx, request, new NewToken(request.name(), request.expiresAt()));
        var token = issued.token();
        ctx.status(201)
                .header("Location", "/api/v1/tokens/" + token.id().hex())
                .json(new Issued(token.id().hex(), issued.secret(), token.name(), token.expiresAt()));
    }

    private IssuedToken issue(Context ctx, Creation request, NewToken token) {
        var email = request.email();
        var password = request.password();
        if (email == null && password == null) {
            return tokens.create(Caller.of(ctx), token);
        }
        if (email == null || password == null) {
            throw AccountsProblem.invalid(email == null ? "email" : "password", "is missing");
        }
        return tokens.create(Client.of(ctx, addresses), Email.parse(email), password, token);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, 50, 100);
        var before = cursors.read(LIST, request).map(cursor -> new TokenId(cursor.number(0)));
        var found = tokens.list(caller, before, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(TokenView::of));
    }

    private String cursor(Token last) {
        return cursors.write(LIST, Cursor.of(Long.toString(last.id().value())));
    }

    private void revoke(Context ctx) {
        tokens.revoke(Caller.of(ctx), TokenId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private record TokenView(
            String id,
            String name,
            Instant createdAt,
            @Nullable Instant lastUsedAt,
            @Nullable Instant expiresAt) {

        static TokenView of(Token token) {
            return new TokenView(
                    token.id().hex(), token.name(), token.createdAt(), token.lastUsedAt(), token.expiresAt());
        }
    }
}
