package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event streams that are open on this node. A stream says something at least every {@link #HEARTBEAT}, so that
 * neither end takes it for dead, and ends after {@link #LIFETIME}: browsers come back by themselves, and are asked again
 * who they are.
 */
public final class EventStreams {

    private static final Logger log = LoggerFactory.getLogger(EventStreams.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    private final int mostPerCaller;
    private final Duration heartbeat;
    private final Duration lifetime;
    private final Map<String, Set<EventStream>> open = new ConcurrentHashMap<>();
    private volatile boolean ended;

    public EventStreams(int mostPerCaller) {
        this(mostPerCaller, HEARTBEAT, LIFETIME);
    }

    EventStreams(int mostPerCaller, Duration heartbeat, Duration lifetime) {
        this.mostPerCaller = mostPerCaller;
        this.heartbeat = heartbeat;
        this.lifetime = lifetime;
    }

    /** Tells whoever listens where to send, and undoes that. */
    public interface Subscription {
        /** Starts sending; what is returned is run when the stream is over. */
        Runnable begin(EventStream stream);
    }

    /** Answers with a stream, and returns when it is over. It costs a virtual thread, not a thread of the system. */
    public void serve(Context ctx, String caller, Subscription subscription) {
        var stream = new EventStream();
        enter(caller, stream);
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
    public void end() {
        ended = true;
        each(EventStream::end);
    }

    int count() {
        return open.values().stream().mapToInt(Set::size).sum();
    }

    private void each(Consumer<EventStream> action) {
        open.values().forEach(streams -> streams.forEach(action));
    }

    private void enter(String caller, EventStream stream) {
        open.compute(caller, (key, streams) -> {
            var own = streams == null ? ConcurrentHashMap.<EventStream>newKeySet() : streams;
            if (own.size() >= mostPerCaller) {
                throw HttpProblem.tooManyStreams(mostPerCaller);
            }
            own.add(stream);
            return own;
        });
        if (ended) {
            stream.end();
        }
    }

    private void leave(String caller, EventStream stream) {
        open.computeIfPresent(caller, (key, streams) -> {
            streams.remove(stream);
            return streams.isEmpty() ? null : streams;
        });
    }
}
