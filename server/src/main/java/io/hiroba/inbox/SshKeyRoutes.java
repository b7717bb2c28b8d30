package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The API of the caller's SSH keys. */
final class SshKeyRoutes implements Routes {

    private final SshKeys keys;
    private final Idempotency idempotency;
    private final InstantSource clock;

    SshKeyRoutes(SshKeys keys, Idempotency idempotency, InstantSource clock) {
        this.keys = keys;
        this.idempotency = idempotency;
        this.clock = clock;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/me/keys", this::list);
        routes.post("/api/v1/me/keys", this::add);
        routes.put("/api/v1/me/keys/{id}", this::update);
        routes.delete("/api/v1/me/keys/{id}", this::delete);
    }

    private record KeyView(
            String id,
            String title,
            String kind,
            String key,
            String fingerprint,
            @Nullable Instant expiresAt,
            boolean expired,
            Instant createdAt) {}

    private KeyView view(SshKey key) {
        var text = key.publicKey();
        return new KeyView(
                key.id().hex(),
                key.title(),
                text.substring(0, text.indexOf(' ')),
                text,
                key.fingerprint(),
                key.expiresAt(),
                key.expiresAt() != null && !key.expiresAt().isAfter(clock.instant()),
                key.createdAt());
    }

    private void list(Context ctx) {
        var found = keys.of(Caller.of(ctx).user());
        ctx.json(new Page<>(found.stream().map(this::view).toList(), null));
    }

    private record CreateRequest(
            String key, @Nullable String title, @Nullable Instant expiresAt) {}

    private void add(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, CreateRequest.class);
        var key = SshPublicKey.parse(request.key());
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var added = keys.add(tx, caller, key, request.title(), request.expiresAt());
            return Answer.created("/api/v1/me/keys/" + added.id().hex(), view(added));
        });
    }

    private record UpdateRequest(String title, @Nullable Instant expiresAt) {}

    private void update(Context ctx) {
        var caller = Caller.of(ctx);
        var request = Body.json(ctx, UpdateRequest.class);
        ctx.json(view(keys.update(caller, id(ctx), request.title(), request.expiresAt())));
    }

    private void delete(Context ctx) {
        keys.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static ResourceId id(Context ctx) {
        return ResourceId.parse(ctx.pathParam("id"));
    }
}
