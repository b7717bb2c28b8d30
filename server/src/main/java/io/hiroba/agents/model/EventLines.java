package io.hiroba.agents.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response, read as lines by a thread that waits no longer than it wants to and stops when it is interrupted. The
 * next part is asked for when the one before has been read, so that a service can fill no memory.
 */
final class EventLines implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {

    private final int maxBytes;
    private final BlockingQueue<Part> parts = new LinkedBlockingQueue<>();
    private final Queue<String> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean closed;
    private long bytes;
    private boolean ended;

    /** A piece of an answer: bytes, the end, or the reason why there will be none. */
    private record Part(
            List<ByteBuffer> buffers,
            boolean isLast,
            @Nullable Throwable failure) {}

    /** The body is longer than an answer can be. */
    static final class TooLong extends IOException {

        private static final long serialVersionUID = 1L;

        TooLong() {
            super("The answer is too long");
        }
    }

    EventLines(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (closed) {
            given.cancel();
        } else {
            given.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        parts.add(new Part(buffers, false, null));
    }

    @Override
    public void onError(Throwable failure) {
        parts.add(new Part(List.of(), true, failure));
    }

    @Override
    public void onComplete() {
        parts.add(new Part(List.of(), true, null));
    }

    /**
     * Waits for the next line until {@code deadline}, a {@link System#nanoTime}; null at the end of the body.
     *
     * @throws TimeoutException if there was none in time
     * @throws IOException if the connection broke or the body is too long
     */
    @Nullable
    String next(long deadline) throws IOException, InterruptedException, TimeoutException {
        while (lines.isEmpty() && !ended) {
            var part = parts.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (part == null) {
                throw new TimeoutException();
            }
            take(part);
        }
        return lines.poll();
    }

    private void take(Part part) throws IOException {
        if (part.failure() != null) {
            throw new IOException(part.failure());
        }
        for (var buffer : part.buffers()) {
            bytes += buffer.remaining();
            if (bytes > maxBytes) {
                throw new TooLong();
            }
            while (buffer.hasRemaining()) {
                take(buffer.get());
            }
        }
        ended = part.isLast();
        if (ended && line.size() > 0) {
            take((byte) '\n');
        }
        var more = subscription;
        if (more != null && !ended) {
            more.request(1);
        }
    }

    private void take(byte next) {
        if (next != '\n') {
            line.write(next);
            return;
        }
        lines.add(line.toString(StandardCharsets.UTF_8).stripTrailing());
        line.reset();
    }

    /** Ends the connection if the body has not been read to its end. */
    @Override
    public void close() {
        closed = true;
        var open = subscription;
        if (open != null) {
            open.cancel();
        }
    }
}
