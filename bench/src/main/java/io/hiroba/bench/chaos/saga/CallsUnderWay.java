package io.hiroba.bench.chaos.saga;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the calls that a service with a limit works on at once. Calls of one idempotency key are one: a saga that is taken over
 * has its permit already. One whose caller is gone does not count.
 */
final class CallsUnderWay {

    private final int limit;
    private final Map<String, Connection> calls = new HashMap<>();
    private final List<String> breaches = new ArrayList<>();
    private int most;

    /** The connection of a call whose request has been read. */
    record Connection(Socket socket, InputStream in) {

        /** Whether the caller waits for the answer: it sends nothing before, so there is only the end to read. */
        private boolean isOpen() {
            try {
                socket.setSoTimeout(1);
                in.mark(1);
                boolean open = in.read() >= 0;
                in.reset();
                return open;
            } catch (SocketTimeoutException e) {
                return true;
            } catch (IOException e) {
                return false;
            } finally {
                try {
                    socket.setSoTimeout(0);
                } catch (IOException closed) {
                    // The next read says so.
                }
            }
        }
    }

    CallsUnderWay(int limit) {
        this.limit = limit;
    }

    synchronized void enter(String key, Connection connection) {
        calls.put(key, connection);
        if (calls.size() > limit) {
            calls.values().removeIf(call -> !call.isOpen());
        }
        most = Math.max(most, calls.size());
        if (calls.size() > limit) {
            breaches.add("%d calls at once: %s".formatted(calls.size(), calls.keySet()));
        }
    }

    synchronized void leave(String key, Connection connection) {
        calls.remove(key, connection);
    }

    /** The most calls at once. */
    synchronized int most() {
        return most;
    }

    /** The moments at which there were too many. */
    synchronized List<String> breaches() {
        return List.copyOf(breaches);
    }
}
