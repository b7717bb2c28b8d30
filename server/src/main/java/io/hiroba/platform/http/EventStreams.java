package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event streams that are open on this node. A stream says something at least every {@link #HEARTBEAT}, so that
 * neither end takes it for dead, and ends after {@link #LIFETIME}: browsers come back by themselves, and are asked again
 * who they are. A caller who opens one too many loses the oldest, which is most likely that of a page left behind.
 */
public final class EventStreams {

    private static final Logger log = LoggerFactory.getLogger(EventStreams.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    /** Tells a reader not to come back by itself: it would push out another, which would do the same, for ever. */
    private static final String FULL = "full";

    private final int mostPerCaller;
    private final Duration heartbeat;
    private final Duration lifetime;
    private final Map<String, Deque<EventStream>> open = new HashMap<>();
    private boolean ended;

    public EventStreams(int mostPerCaller) {
        this(mostPerCaller, HEARTBEAT, LIFETIME);
    }

    EventStreams(int mostPerCaller, Duration heartbeat, Duration lifetime) {
        this.mostPerCaller = mostPerCaller;
        this.heartbeat = heartbeat;
        this.lifetime = lifetime;
    }

    /** Has a stream told of what happens. */
    public interface Subscription {
        /** Starts sending; what is returned is run when the stream is over. */
        Runnable begin(EventStream stream);
    }

    /** Answers with a stream, and returns when it is over. It costs a virtual thread, not a thread of the system. */
    public void serve(Context ctx, String caller, Subscription subscription) {
        var stream = enter(caller);
        try {
            ctx.contentType("text/event-stream; charset=utf-8").header("X-Accel-Buffering", "no");
            var over = subscription.begin(stream);
            try {
                stream.write(ctx.res().getOutputStream(), heartbeat, lifetime);
            } finally {
                over.run();
            }
        } catch (IOException e) {
            log.debug("A reader of an event stream went away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leave(caller, stream);
        }
    }

    /** Ends all streams for good: the server stops. */
    public synchronized void end() {
        ended = true;
        open.values().stream().flatMap(Deque::stream).forEach(EventStream::end);
    }

    /** How many are open. */
    public synchronized int count() {
        return open.values().stream().mapToInt(Deque::size).sum();
    }

    private synchronized EventStream enter(String caller) {
        var stream = new EventStream();
        var own = open.computeIfAbsent(caller, key -> new ArrayDeque<>());
        own.add(stream);
        if (own.size() > mostPerCaller) {
            own.remove().end(FULL);
        }
        if (ended) {
            stream.end();
        }
        return stream;
    }

    private synchronized void leave(String caller, EventStream stream) {
        var own = open.getOrDefault(caller, new ArrayDeque<>());
        own.removeAll(List.of(stream));
        if (own.isEmpty()) {
            open.remove(caller);
        }
    }
}
