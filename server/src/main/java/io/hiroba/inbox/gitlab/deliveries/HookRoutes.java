package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.inbox.gitlab.connections.Connections;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** Where GitLabs call. Nobody signs in: the connection's secret says who it is. */
public final class HookRoutes implements Routes {

    private static final ByteSize LARGEST = ByteSize.parse("10MB");

    private final Connections connections;
    private final Deliveries deliveries;

    public HookRoutes(Connections connections, Deliveries deliveries) {
        this.connections = connections;
        this.deliveries = deliveries;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(Connections.HOOKS + "{id}", this::receive);
    }

    private record Accepted(String id) {}

    /** The body is looked at only if the secret is right. */
    private void receive(Context ctx) {
        var connection = connections.enter(ctx.pathParam("id"), ctx.header("X-Gitlab-Token"));
        var body = Body.bytes(ctx, LARGEST);
        var receipt = deliveries.receive(
                connection,
                ctx.header("Idempotency-Key"),
                ctx.header("X-Gitlab-Event-UUID"),
                ctx.header("X-Gitlab-Event"),
                body);
        ctx.status(receipt.repeated() ? 200 : 202)
                .json(new Accepted(receipt.id().hex()));
    }
}
