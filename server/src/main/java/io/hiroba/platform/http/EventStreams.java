package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event streams that are open on this node. A stream sends something at least every {@link #HEARTBEAT}, so that neither
 * end closes it as idle, and ends after {@link #LIFETIME}: browsers reconnect by themselves and are authenticated again. A
 * caller who opens one too many loses the oldest, which most likely belongs to an abandoned page.
 */
public final class EventStreams {

    private static final Logger log = LoggerFactory.getLogger(EventStreams.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    /** Tells the script not to reconnect: it would displace another stream, which would do the same, for ever. */
    private static final String FULL = "full";

    private final int maxPerCaller;
    private final Duration heartbeat;
    private final Duration lifetime;
    private final Map<String, Deque<EventStream>> open = new HashMap<>();
    private final List<Runnable> endings = new ArrayList<>();
    private boolean ended;
    private volatile Guard guard = (ctx, end) -> () -> {};

    public EventStreams(int maxPerCaller) {
        this(maxPerCaller, HEARTBEAT, LIFETIME);
    }

    EventStreams(int maxPerCaller, Duration heartbeat, Duration lifetime) {
        this.maxPerCaller = maxPerCaller;
        this.heartbeat = heartbeat;
        this.lifetime = lifetime;
    }

    /** Runs {@code action} when the streams end because the server stops, for other answers that are waited for. */
    public synchronized void onEnd(Runnable action) {
        endings.add(action);
    }

    /** Ends streams whose caller may no longer read. */
    @FunctionalInterface
    public interface Guard {
        /** Runs {@code end} when the caller of the request is revoked; the returned action is run when the stream is over. */
        Runnable watch(Context ctx, Runnable end);
    }

    /** Lets {@code guard} end streams before their time. */
    public void guard(Guard guard) {
        this.guard = guard;
    }

    /** Feeds a stream with messages. */
    public interface Subscription {
        /** Starts sending; the returned action is run when the stream is over. */
        Runnable begin(EventStream stream);
    }

    /** Answers with a stream, and returns when it is over. It holds a virtual thread, not a platform thread. */
    public void serve(Context ctx, String caller, Subscription subscription) {
        serve(ctx, caller, subscription, true);
    }

    /** As above, with a stream that nobody reconnects after: it is the answer to one request. */
    public void serveOnce(Context ctx, String caller, Subscription subscription) {
        serve(ctx, caller, subscription, false);
    }

    private void serve(Context ctx, String caller, Subscription subscription, boolean reconnects) {
        ctx.contentType("text/event-stream; charset=utf-8").header("X-Accel-Buffering", "no");
        if (ctx.method().equals(HandlerType.HEAD)) {
            return;
        }
        var stream = register(caller, reconnects);
        var unguard = guard.watch(ctx, stream::end);
        try {
            var unsubscribe = subscription.begin(stream);
            try {
                stream.write(ctx.res().getOutputStream(), heartbeat, lifetime);
            } finally {
                unsubscribe.run();
            }
        } catch (IOException e) {
            log.debug("A reader of an event stream went away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            unguard.run();
            unregister(caller, stream);
        }
    }

    /** Ends all streams, and later ones at once: the server is stopping. */
    public synchronized void end() {
        ended = true;
        endings.forEach(Runnable::run);
        open.values().stream().flatMap(Deque::stream).forEach(EventStream::end);
    }

    /** How many are open. */
    public synchronized int count() {
        return open.values().stream().mapToInt(Deque::size).sum();
    }

    private synchronized EventStream register(String caller, boolean reconnects) {
        var stream = new EventStream(reconnects);
        var streams = open.computeIfAbsent(caller, key -> new ArrayDeque<>());
        streams.add(stream);
        if (streams.size() > maxPerCaller) {
            streams.remove().end(FULL);
        }
        if (ended) {
            stream.end();
        }
        return stream;
    }

    private synchronized void unregister(String caller, EventStream stream) {
        var streams = open.getOrDefault(caller, new ArrayDeque<>());
        streams.removeAll(List.of(stream));
        if (streams.isEmpty()) {
            open.remove(caller);
        }
    }
}
