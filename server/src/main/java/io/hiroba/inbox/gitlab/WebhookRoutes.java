package io.hiroba.inbox.gitlab;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/**
 * The endpoint that GitLab calls. There is no session: the secret of the connection authenticates the call.
 */
final class WebhookRoutes implements Routes {

    private static final ByteSize MAX_BODY_SIZE = ByteSize.parse("10MB");

    private final Connections connections;
    private final WebhookDeliveries deliveries;

    WebhookRoutes(Connections connections, WebhookDeliveries deliveries) {
        this.connections = connections;
        this.deliveries = deliveries;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(Connections.HOOKS + "{id}", this::receive);
    }

    private record Accepted(String id) {}

    /** The body is read only if the secret is right. */
    private void receive(Context ctx) {
        var connection = connections.authenticate(ctx.pathParam("id"), ctx.header("X-Gitlab-Token"));
        var body = Body.bytes(ctx, MAX_BODY_SIZE);
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
