package io.hiroba.inbox.fanout;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of claims to external names. */
final class IdentityRoutes implements Routes {

    /** A claim in responses. */
    record IdentityView(
            String id,
            String user,
            String provider,
            @Nullable String connection,
            @Nullable String username,
            @Nullable String email,
            boolean confirmed,
            boolean waiting,
            Instant createdAt) {

        static IdentityView of(ExternalIdentity identity) {
            var name = identity.name();
            return new IdentityView(
                    identity.id().hex(),
                    identity.user().hex(),
                    IdentityRoutes.PROVIDER,
                    name.connection() == null ? null : name.connection().hex(),
                    name.username(),
                    name.email(),
                    identity.confirmed(),
                    identity.waiting(),
                    identity.createdAt());
        }
    }

    static final String PROVIDER = "gitlab";
    private static final String LIST = "inbox-claims";
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 100;

    private final ExternalIdentities identities;
    private final KeysetList<ExternalIdentity, IdentityId> claims;

    IdentityRoutes(ExternalIdentities identities, Cursors cursors) {
        this.identities = identities;
        claims = new KeysetList<>(
                cursors,
                LIST,
                DEFAULT_LIMIT,
                MAX_LIMIT,
                cursor -> new IdentityId(cursor.number(0)),
                last -> Cursor.of(Long.toString(last.id().value())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/me/identities", this::mine);
        routes.put("/api/v1/me/identities", this::claim);
        routes.delete("/api/v1/me/identities/{id}", this::unlink);
        routes.get("/api/v1/users/{id}/identities", this::of);
        routes.put("/api/v1/users/{id}/identities", this::assign);
        routes.get("/api/v1/inbox/claims", this::waiting);
        routes.post("/api/v1/inbox/claims/{id}/confirm", this::confirm);
        routes.delete("/api/v1/inbox/claims/{id}", this::reject);
    }

    private record Claim(
            String provider,
            @Nullable String username,
            @Nullable String email,
            @Nullable String connection) {

        ExternalName name() {
            if (!provider.equals(PROVIDER)) {
                throw InboxProblem.invalid("provider", Text.of("inbox.field.only", "value", PROVIDER));
            }
            var at = connection == null ? null : ConnectionId.parse(connection);
            if (username != null && email == null) {
                return ExternalName.username(at, username);
            }
            if (email != null && username == null) {
                return ExternalName.email(at, Email.parse(email));
            }
            return new ExternalName(at, username, email);
        }
    }

    private void mine(Context ctx) {
        show(ctx, identities.of(Caller.of(ctx).user()));
    }

    private void of(Context ctx) {
        show(ctx, identities.of(Caller.of(ctx), UserId.parse(ctx.pathParam("id"))));
    }

    private static void show(Context ctx, List<ExternalIdentity> found) {
        ctx.json(new Page<>(found.stream().map(IdentityView::of).toList(), null));
    }

    private void claim(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(IdentityView.of(
                identities.claim(caller, Body.json(ctx, Claim.class).name())));
    }

    private void assign(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var user = UserId.parse(ctx.pathParam("id"));
        ctx.json(IdentityView.of(
                identities.assign(caller, user, Body.json(ctx, Claim.class).name())));
    }

    private void unlink(Context ctx) {
        identities.unlink(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void waiting(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(claims.page(ctx, (after, limit) -> identities.waiting(caller, after, limit))
                .map(IdentityView::of));
    }

    private void confirm(Context ctx) {
        ctx.json(IdentityView.of(identities.confirm(Caller.of(ctx), id(ctx))));
    }

    private void reject(Context ctx) {
        identities.reject(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static IdentityId id(Context ctx) {
        return IdentityId.parse(ctx.pathParam("id"));
    }
}
