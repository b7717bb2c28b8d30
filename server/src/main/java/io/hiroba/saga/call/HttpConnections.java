package io.hiroba.saga.call;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The connections to services over HTTP without TLS, kept open between calls. */
final class HttpConnections implements AutoCloseable {

    /** Less than common servers leave a connection open: one that closes it as a call is sent would fail that call. */
    private static final Duration MAX_IDLE = Duration.ofSeconds(4);

    private final Duration connectTimeout;
    private final Map<Address, ConcurrentLinkedDeque<HttpConnection>> kept = new ConcurrentHashMap<>();
    private final Set<HttpConnection> inUse = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("saga call timeouts").factory());

    private record Address(String host, int port) {}

    HttpConnections(Duration connectTimeout) {
        this.connectTimeout = connectTimeout;
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Sends a request and reads its answer, of whose body no more than {@code max} bytes are kept.
     *
     * @throws TimeoutException if all of that takes longer than {@code timeout}
     */
    HttpAnswer exchange(Endpoint endpoint, ByteBuffer request, int max, Duration timeout)
            throws IOException, TimeoutException {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            var address = new Address(endpoint.host(), endpoint.port());
            var connection = take(address);
            if (connection == null) {
                var patience = timeout.compareTo(connectTimeout) < 0 ? timeout : connectTimeout;
                connection = new HttpConnection(address.host(), address.port(), patience);
            }
            return exchange(address, connection, request, max, end);
        } catch (IOException e) {
            if (end - System.nanoTime() <= 0) {
                throw new TimeoutException();
            }
            throw e;
        }
    }

    private HttpAnswer exchange(Address address, HttpConnection connection, ByteBuffer request, int max, long end)
            throws IOException {
        inUse.add(connection);
        boolean keeps = false;
        try {
            // Closing ends whatever the caller waits for, also a write that nobody reads.
            var closing = timer.schedule(connection::close, end - System.nanoTime(), TimeUnit.NANOSECONDS);
            try {
                var answer = connection.exchange(request, max);
                keeps = connection.isReusable();
                return answer;
            } finally {
                keeps &= closing.cancel(false);
            }
        } finally {
            inUse.remove(connection);
            if (keeps) {
                keep(address, connection);
            } else {
                connection.close();
            }
        }
    }

    private @Nullable HttpConnection take(Address address) {
        var idle = kept.get(address);
        if (idle == null) {
            return null;
        }
        for (var next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            if (next.wasUsedWithin(MAX_IDLE) && next.isSilent()) {
                return next;
            }
            next.close();
        }
        return null;
    }

    private void keep(Address address, HttpConnection connection) {
        kept.computeIfAbsent(address, each -> new ConcurrentLinkedDeque<>()).addFirst(connection);
        try {
            sweepLater();
        } catch (RejectedExecutionException stopping) {
            connection.close();
        }
    }

    private void sweepLater() {
        if (sweeping.compareAndSet(false, true)) {
            var _ = timer.schedule(this::sweep, MAX_IDLE.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Closes connections that were not used for long, which are the last ones. */
    private void sweep() {
        sweeping.set(false);
        boolean more = false;
        for (var idle : kept.values()) {
            for (var oldest = idle.pollLast(); oldest != null; oldest = idle.pollLast()) {
                if (oldest.wasUsedWithin(MAX_IDLE)) {
                    idle.addLast(oldest);
                    more = true;
                    break;
                }
                oldest.close();
            }
        }
        if (more) {
            sweepLater();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        inUse.forEach(HttpConnection::close);
        kept.values().forEach(idle -> idle.forEach(HttpConnection::close));
    }
}
