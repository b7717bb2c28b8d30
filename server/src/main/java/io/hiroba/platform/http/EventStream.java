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
 * One open answer of server-sent events. Whoever has something to tell leaves it here and never waits: the thread of the
 * request writes it. A reader who takes so little that {@value #ROOM} messages wait, or {@value #MAX_CHARACTERS}
 * characters of several, is cut off, and comes back with the id of the last one it got.
 */
public final class EventStream {

    private static final int ROOM = 512;
    private static final int MAX_CHARACTERS = 16 << 20;

    /** Stands behind the last message; no message looks like it. */
    private static final String LAST = "last";

    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(ROOM);
    private final AtomicLong characters = new AtomicLong();
    private volatile boolean ended;
    private volatile String farewell = "";

    EventStream() {}

    /** Sends a message; {@code id} is what the reader names when it comes back. */
    public void send(String id, String event, String data) {
        var message = "id: " + id + "\nevent: " + event + "\ndata: " + data.replace("\n", "\ndata: ") + "\n\n";
        long before = characters.getAndAdd(message.length());
        boolean tooMuch = before > 0 && before + message.length() > MAX_CHARACTERS;
        if (tooMuch || !waiting.offer(message)) {
            end();
        }
    }

    public void end() {
        ended = true;
        // Wakes the writer; where there is no room it is awake.
        waiting.offer("");
    }

    /** Ends the stream once what it was sent before is written. */
    public void finish() {
        if (!waiting.offer(LAST)) {
            end();
        }
    }

    /** Ends the stream with an event that says why. */
    void end(String reason) {
        farewell = "event: " + reason + "\ndata: " + reason + "\n\n";
        end();
    }

    /** Writes what comes until the stream ends, its time is over or the reader is gone. */
    void write(OutputStream out, Duration heartbeat, Duration lifetime) throws IOException, InterruptedException {
        long start = System.nanoTime();
        put(out, "retry: 2000\n\n");
        while (!ended && System.nanoTime() - start < lifetime.toNanos()) {
            var message = waiting.poll(heartbeat.toMillis(), TimeUnit.MILLISECONDS);
            if (LAST.equals(message)) {
                end();
            } else if (!ended) {
                put(out, message == null ? ":\n\n" : message);
                characters.addAndGet(message == null ? 0 : -message.length());
            }
        }
        if (!farewell.isEmpty()) {
            put(out, farewell);
        }
    }

    private static void put(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
