package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.RequestLogger;
import java.time.Clock;
import java.time.Instant;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Writes one JSON line a request to the logger {@code access}; the query is left out, since it may hold what is private. */
public final class AccessLog implements RequestLogger {

    /** The attribute under which whoever authenticates the caller leaves the user's id. */
    public static final String USER = "hiroba.user";

    private static final Logger LOG = LoggerFactory.getLogger("access");

    private final ClientAddress addresses;
    private final Clock clock;

    AccessLog(ClientAddress addresses, Clock clock) {
        this.addresses = addresses;
        this.clock = clock;
    }

    @Override
    public void handle(Context ctx, Float milliseconds) {
        try {
            if (LOG.isInfoEnabled()) {
                LOG.info(Json.text(line(ctx, milliseconds)));
            }
        } finally {
            MDC.clear();
        }
    }

    private Line line(Context ctx, Float milliseconds) {
        return new Line(
                clock.instant(),
                ctx.method().name(),
                RouteTemplate.of(ctx),
                ctx.statusCode(),
                Math.round(milliseconds * 1000) / 1000.0,
                bytes(ctx),
                RequestId.of(ctx),
                ctx.attribute(USER),
                addresses.of(ctx).getHostAddress());
    }

    /** The length of the body as it is sent; what is counted further down may still be in a buffer. */
    private static long bytes(Context ctx) {
        return ServletContextRequest.getServletContextRequest(ctx.req())
                .getServletContextResponse()
                .getHttpOutput()
                .getWritten();
    }

    private record Line(
            Instant time,
            String method,
            String route,
            int status,
            double ms,
            long bytes,
            String requestId,
            @Nullable String user,
            String remote) {}
}
