package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.platform.http.RetryAfter;
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
    private final RateLimiter limiter;
    private final ClientAddress addresses;

    WebhookRoutes(Connections connections, WebhookDeliveries deliveries, RateLimiter limiter, ClientAddress addresses) {
        this.connections = connections;
        this.deliveries = deliveries;
        this.limiter = limiter;
        this.addresses = addresses;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(Connections.HOOKS + "{id}", this::receive);
    }

    private record Accepted(String id) {}

    /** The body is read only if the secret is right. */
    private void receive(Context ctx) {
        var connection = admitted(ctx);
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

    /**
     * The connection of a call within its limit. Calls with a wrong secret count for their address, and never against calls with
     * the right one: those of several GitLabs may come from one address.
     */
    private ConnectionId admitted(Context ctx) {
        var known = connections.authenticate(ctx.pathParam("id"), ctx.header("X-Gitlab-Token"));
        var allowance = limiter.count(addresses.bucket(ctx), false, () -> known.map(ConnectionId::hex));
        if (allowance.retryAfter().isPositive()) {
            RetryAfter.set(ctx, allowance.retryAfter());
        }
        allowance.requireAdmitted();
        return known.orElseThrow(InboxProblem::wrongSecret);
    }
}
