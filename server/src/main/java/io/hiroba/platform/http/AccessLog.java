package io.hiroba.platform.http;

import io.hiroba.platform.task.WorkLoop;
import io.javalin.http.Context;
import io.javalin.http.RequestLogger;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Writes one JSON line a request to the logger {@code access}; the query is left out, since it may hold what is private.
 * Lines wait a moment and are written together: a write each was a tenth of what a short request costs.
 */
public final class AccessLog implements RequestLogger, AutoCloseable {

    /** The attribute under which whoever authenticates the caller leaves the user's id. */
    public static final String USER = "hiroba.user";

    private static final Logger LOG = LoggerFactory.getLogger("access");
    private static final Duration FLUSH_INTERVAL = Duration.ofMillis(50);
    private static final int MAX_QUEUED = 10_000;
    private static final int LENGTH = 256;

    private final ClientAddress addresses;
    private final Clock clock;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final WorkLoop writer = WorkLoop.every(FLUSH_INTERVAL, "access log", this::writeWaiting);

    AccessLog(ClientAddress addresses, Clock clock) {
        this.addresses = addresses;
        this.clock = clock;
    }

    @Override
    public void handle(Context ctx, Float milliseconds) {
        try {
            if (LOG.isInfoEnabled()) {
                write(line(ctx, milliseconds));
            }
        } finally {
            MDC.clear();
        }
    }

    /** Where the file cannot keep up, whoever asked waits for it. */
    void write(String line) {
        if (!waiting.offer(line)) {
            LOG.info(line);
        }
    }

    private void writeWaiting() {
        var lines = new ArrayList<String>();
        waiting.drainTo(lines);
        if (!lines.isEmpty()) {
            LOG.info(String.join("\n", lines));
        }
    }

    /** Writes what is left. */
    @Override
    public void close() {
        writer.close();
        writeWaiting();
    }

    /** Field by field: to ask a record for each of them costs more than to write them. */
    private String line(Context ctx, Float milliseconds) {
        var text = new StringWriter(LENGTH);
        try (var json = Json.mapper().createGenerator(text)) {
            json.writeStartObject()
                    .writeStringProperty("time", InstantText.of(clock.instant()))
                    .writeStringProperty("method", ctx.method().name())
                    .writeStringProperty("route", RouteTemplate.of(ctx))
                    .writeNumberProperty("status", ctx.statusCode())
                    .writeNumberProperty("ms", Math.round(milliseconds * 1000) / 1000.0)
                    .writeNumberProperty("bytes", bytes(ctx))
                    .writeStringProperty("requestId", RequestId.of(ctx))
                    .writeStringProperty("user", ctx.attribute(USER))
                    .writeStringProperty("remote", addresses.of(ctx).getHostAddress())
                    .writeEndObject();
        }
        return text.toString();
    }

    /** The length of the body as it is sent; what is counted further down may still be in a buffer. */
    private static long bytes(Context ctx) {
        return ServletContextRequest.getServletContextRequest(ctx.req())
                .getServletContextResponse()
                .getHttpOutput()
                .getWritten();
    }
}
