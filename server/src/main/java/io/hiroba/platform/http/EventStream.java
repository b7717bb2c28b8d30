package io.hiroba.platform.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An open response of server-sent events. Senders queue messages and never block; the thread of the request writes them. A
 * reader so slow that {@value #MAX_MESSAGES} messages are queued, or {@value #MAX_CHARACTERS} characters of several, is
 * disconnected, and reconnects with the id of the last message it got.
 */
public final class EventStream {

    private static final int MAX_MESSAGES = 512;
    private static final int MAX_CHARACTERS = 16 << 20;

    /** Marks the end of the queue; no message is equal to it. */
    private static final String LAST = "last";

    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(MAX_MESSAGES);
    private final AtomicLong characters = new AtomicLong();
    private volatile boolean ended;
    private volatile String closingEvent = "";

    private final boolean reconnects;

    /** @param reconnects whether readers come back when it has ended */
    EventStream(boolean reconnects) {
        this.reconnects = reconnects;
    }

    /** Sends a message; {@code id} is sent back when the reader reconnects. */
    public void send(String id, String event, String data) {
        queue("id: " + id + "\n", event, data);
    }

    /** Sends a message that nobody reconnects after. */
    public void send(String event, String data) {
        queue("", event, data);
    }

    private void queue(String id, String event, String data) {
        var message = id + "event: " + event + "\ndata: " + data.replace("\n", "\ndata: ") + "\n\n";
        long before = characters.getAndAdd(message.length());
        boolean tooLarge = before > 0 && before + message.length() > MAX_CHARACTERS;
        if (tooLarge || !queue.offer(message)) {
            end();
        }
    }

    public void end() {
        ended = true;
        // Wakes the writer; if the queue is full it is awake.
        queue.offer("");
    }

    /** Ends the stream after the messages that are queued. */
    public void finish() {
        if (!queue.offer(LAST)) {
            end();
        }
    }

    /** Ends the stream with an event that has the reason. */
    void end(String reason) {
        closingEvent = "event: " + reason + "\ndata: " + reason + "\n\n";
        end();
    }

    /** Writes messages until the stream ends, its lifetime is over or the reader disconnects. */
    void write(OutputStream out, Duration heartbeat, Duration lifetime) throws IOException, InterruptedException {
        long start = System.nanoTime();
        if (reconnects) {
            write(out, "retry: 2000\n\n");
        }
        while (!ended && System.nanoTime() - start < lifetime.toNanos()) {
            var message = queue.poll(heartbeat.toMillis(), TimeUnit.MILLISECONDS);
            if (LAST.equals(message)) {
                end();
            } else if (!ended) {
                write(out, message == null ? ":\n\n" : message);
                characters.addAndGet(message == null ? 0 : -message.length());
            }
        }
        if (!closingEvent.isEmpty()) {
            write(out, closingEvent);
        }
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
