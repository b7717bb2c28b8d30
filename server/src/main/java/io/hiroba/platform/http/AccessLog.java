package io.hiroba.platform.http;

import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.TraceSpan;
import io.javalin.http.Context;
import io.javalin.http.RequestLogger;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Writes one JSON line a request to the logger {@code access}, without the query, which may hold private data. Lines are
 * written in batches: a write for each was a tenth of the cost of a short request.
 */
public final class AccessLog implements RequestLogger, AutoCloseable {

    /** The request attribute with the user's id, set by authentication. */
    public static final String USER = "hiroba.user";

    private static final Logger LOG = LoggerFactory.getLogger("access");
    private static final Duration FLUSH_INTERVAL = Duration.ofMillis(50);
    private static final int MAX_QUEUED = 10_000;
    private static final int LENGTH = 256;

    private final ClientAddress addresses;
    private final Clock clock;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final WakeSignal queued = new WakeSignal();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final WorkLoop writer = WorkLoop.whenSignalled("access log", 1, queued, WorkLoop.FALLBACK_POLL, () -> {
        flush();
        return false;
    });

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

    /** Queues the line; where the queue is full, the request waits for the write. */
    void write(String line) {
        if (!queue.offer(line)) {
            LOG.info(line);
        }
        if (scheduled.compareAndSet(false, true)) {
            queued.raiseIn(FLUSH_INTERVAL);
        }
    }

    private void flush() {
        // Before reading: a line that comes meanwhile schedules another flush.
        scheduled.set(false);
        var lines = new ArrayList<String>();
        queue.drainTo(lines);
        if (!lines.isEmpty()) {
            LOG.info(String.join("\n", lines));
        }
    }

    /** Flushes the queue. */
    @Override
    public void close() {
        writer.close();
        flush();
    }

    /** Written field by field: reading them from a record by reflection costs more than writing them. */
    private String line(Context ctx, Float milliseconds) {
        var text = new StringWriter(LENGTH);
        try (var json = Json.mapper().createGenerator(text)) {
            json.writeStartObject()
                    .writeStringProperty("time", Json.time(clock.instant()))
                    .writeStringProperty("method", ctx.method().name())
                    .writeStringProperty("route", HttpMetrics.route(ctx))
                    .writeNumberProperty("status", ctx.statusCode())
                    .writeNumberProperty("ms", Math.round(milliseconds * 1000) / 1000.0)
                    .writeNumberProperty("bytes", bytes(ctx))
                    .writeStringProperty("requestId", RequestId.of(ctx))
                    .writeStringProperty("user", ctx.attribute(USER))
                    .writeStringProperty("remote", addresses.of(ctx).getHostAddress());
            var trace = TraceSpan.current().recordedTraceId();
            if (trace != null) {
                json.writeStringProperty("traceId", trace);
            }
            json.writeEndObject();
        }
        return text.toString();
    }

    /**
     * The length of the body as sent; a count further down may miss what is still in a buffer. Javalin ends compression after
     * logging, when it would be too late to count.
     */
    private static long bytes(Context ctx) {
        try {
            ctx.outputStream().close();
        } catch (IOException e) {
            LOG.debug("the client is gone", e);
        }
        // A call within the process is written to memory; nothing of it is in the output of the connection.
        if (ctx.res() instanceof InternalResponse answer) {
            return answer.length();
        }
        return ServletContextRequest.getServletContextRequest(ctx.req())
                .getServletContextResponse()
                .getHttpOutput()
                .getWritten();
    }
}
