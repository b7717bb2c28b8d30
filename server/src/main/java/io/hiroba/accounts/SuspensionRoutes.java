package io.hiroba.accounts;

import io.hiroba.accounts.Suspensions.NewSuspension;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The API that suspends and restores accounts, for admins. */
final class SuspensionRoutes implements Routes {

    private final Suspensions suspensions;

    SuspensionRoutes(Suspensions suspensions) {
        this.suspensions = suspensions;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/users/{id}/suspend", this::suspend);
        routes.post("/api/v1/users/{id}/restore", this::restore);
    }

    private record SuspendBody(
            @Nullable String reason,
            @Nullable Instant until,
            @Nullable Boolean endTokens) {

        static final SuspendBody EMPTY = new SuspendBody(null, null, null);

        NewSuspension value() {
            return new NewSuspension(reason == null ? "" : reason, until, Boolean.TRUE.equals(endTokens));
        }
    }

    private void suspend(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var body = ctx.bodyAsBytes().length == 0 ? SuspendBody.EMPTY : Body.json(ctx, SuspendBody.class);
        suspensions.suspend(caller, UserId.parse(ctx.pathParam("id")), body.value());
        ctx.status(204);
    }

    private void restore(Context ctx) {
        suspensions.restore(Caller.of(ctx), UserId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }
}
