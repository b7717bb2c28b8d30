package io.hiroba.mcp;

import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.trace.TraceSpan;
import io.javalin.http.Context;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers calls of tools with event streams where the client wants to know their progress: notifications, and then the response. */
final class CallStreams {

    private static final Logger log = LoggerFactory.getLogger(CallStreams.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final EventStreams streams;
    private final McpJsonMapper json;
    private final AtomicBoolean stopping = new AtomicBoolean();

    CallStreams(EventStreams streams, McpJsonMapper json) {
        this.streams = streams;
        this.json = json;
        streams.onEnd(() -> stopping.set(true));
    }

    /** Whether the server stops, and calls that wait should answer. */
    boolean isStopping() {
        return stopping.get();
    }

    /** The token of a call whose client takes notifications of its progress; null for others. */
    static @Nullable Object token(Context ctx, JSONRPCRequest request) {
        var accept = ctx.header("Accept");
        if (!request.method().equals("tools/call")
                || accept == null
                || !accept.contains("text/event-stream")
                || !(request.params() instanceof Map<?, ?> parameters)
                || !(parameters.get("_meta") instanceof Map<?, ?> meta)) {
            return null;
        }
        var token = meta.get("progressToken");
        return token instanceof String
                        || token instanceof Integer
                        || token instanceof Long
                        || token instanceof BigInteger
                ? token
                : null;
    }

    /** Answers with a stream. It ends early when the client goes away, its token is revoked or the server stops. */
    void serve(
            Context ctx,
            String caller,
            Object token,
            JSONRPCRequest request,
            Function<CallProgress, JSONRPCResponse> call) {
        var span = TraceSpan.current();
        streams.serveOnce(ctx, "mcp:" + caller, stream -> {
            var ended = new AtomicBoolean();
            var progress = new CallProgress(token, each -> send(stream, each), () -> ended.get() || stopping.get());
            Thread.ofVirtual()
                    .name("mcp call")
                    .start(() -> span.<@Nullable Void, RuntimeException>within(() -> {
                        answer(stream, progress, request, call);
                        return null;
                    }));
            return () -> ended.set(true);
        });
    }

    private void answer(
            EventStream stream,
            CallProgress progress,
            JSONRPCRequest request,
            Function<CallProgress, JSONRPCResponse> call) {
        var answered = new CountDownLatch(1);
        var ticker = Thread.ofVirtual().name("mcp progress").start(() -> tick(progress, answered));
        try {
            var response = response(progress, request, call);
            answered.countDown();
            // No notification comes after the response.
            ticker.join();
            send(stream, response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            answered.countDown();
            stream.finish();
        }
    }

    private static JSONRPCResponse response(
            CallProgress progress, JSONRPCRequest request, Function<CallProgress, JSONRPCResponse> call) {
        try {
            return call.apply(progress);
        } catch (RuntimeException e) {
            // The answer has begun: there is no other status any more.
            log.error("A call of a tool could not be answered", e);
            return McpRoutes.unanswered(request.id());
        }
    }

    private static void tick(CallProgress progress, CountDownLatch answered) {
        try {
            while (!answered.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                progress.tell();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(EventStream stream, JSONRPCMessage message) {
        try {
            stream.send("message", json.writeValueAsString(message));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
