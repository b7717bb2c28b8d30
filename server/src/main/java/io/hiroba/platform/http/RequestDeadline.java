package io.hiroba.platform.http;

import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.ContainerLifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends requests that arrive too slowly. An idle timeout alone lets a client that sends a byte now and then hold a connection for
 * hours. The line and headers of a request may take the timeout; a body may take it as well, and longer the more of it has
 * arrived.
 */
final class RequestDeadline extends Handler.Wrapper implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RequestDeadline.class);
    private static final Duration MAX_INTERVAL = Duration.ofSeconds(1);

    private final long timeout;
    private final long bytesPerSecond;
    private final Map<Connection, Arrival> arrivals = new ConcurrentHashMap<>();
    private final WorkLoop check;

    RequestDeadline(HttpConfig.Limits limits) {
        this.timeout = limits.requestTimeout().toNanos();
        this.bytesPerSecond = limits.minDataRate().bytes();
        var interval = limits.requestTimeout().dividedBy(4);
        this.check = WorkLoop.every(
                interval.compareTo(MAX_INTERVAL) < 0 ? interval : MAX_INTERVAL, "request deadline", this::closeLate);
    }

    /** The state of a connection: between requests, or with a request whose headers have arrived. */
    private static final class Arrival {

        private boolean handled;
        private long bytesBefore;
        private long begun;
        private boolean arriving;

        synchronized void begin() {
            handled = true;
            arriving = false;
        }

        synchronized void end(long bytes) {
            handled = false;
            bytesBefore = bytes;
        }

        /** How long the headers of a request have been arriving; zero if none are. */
        synchronized long nanos(long bytes, long now) {
            if (handled || bytes == bytesBefore) {
                arriving = false;
                return 0;
            }
            if (!arriving) {
                arriving = true;
                begun = now;
            }
            return now - begun;
        }
    }

    @Override
    protected void doStart() throws Exception {
        var listener = new Connection.Listener() {
            @Override
            public void onOpened(Connection connection) {
                arrivals.put(connection, new Arrival());
            }

            @Override
            public void onClosed(Connection connection) {
                arrivals.remove(connection);
            }
        };
        for (var connector : getServer().getConnectors()) {
            if (connector instanceof ContainerLifeCycle container) {
                container.addBean(listener);
            }
        }
        super.doStart();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        var connection = request.getConnectionMetaData().getConnection();
        var arrival = arrivals.get(connection);
        if (arrival != null) {
            arrival.begin();
            Request.addCompletionListener(request, failure -> arrival.end(connection.getBytesIn()));
        }
        return super.handle(new TimedRequest(request), response, callback);
    }

    private void closeLate() {
        long now = System.nanoTime();
        arrivals.forEach((connection, arrival) -> {
            if (arrival.nanos(connection.getBytesIn(), now) > timeout) {
                LOG.debug("The headers of a request arrive too slowly: {}", connection.getEndPoint());
                connection.getEndPoint().close();
            }
        });
    }

    @Override
    public void close() {
        check.close();
    }

    /** A request whose body must arrive in time. */
    private final class TimedRequest extends Request.Wrapper {

        private final long begun = System.nanoTime();
        private long received;

        TimedRequest(Request request) {
            super(request);
        }

        @Override
        public Content.@Nullable Chunk read() {
            var chunk = super.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                return chunk;
            }
            received += chunk.remaining();
            if (chunk.isLast() || System.nanoTime() - begun <= allowed()) {
                return chunk;
            }
            chunk.release();
            var late =
                    new HttpException.RuntimeException(HttpStatus.REQUEST_TIMEOUT_408, "The body arrives too slowly");
            fail(late);
            return Content.Chunk.from(late);
        }

        private long allowed() {
            return timeout + Duration.ofSeconds(received / bytesPerSecond).toNanos();
        }
    }
}
