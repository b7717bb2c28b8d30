package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.saga.SagaListener.SagaUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A watch of one saga by one listener, with the part that the listener has seen. */
final class SagaWatch {

    private final Caller caller;
    private final SagaId saga;
    private final SagaListener listener;
    private final long expiry;
    private int sent;
    private @Nullable Instant seen;
    private boolean ended;

    SagaWatch(Caller caller, SagaId saga, int sent, SagaListener listener, Duration lifetime) {
        this.caller = caller;
        this.saga = saga;
        this.sent = sent;
        this.listener = listener;
        this.expiry = System.nanoTime() + lifetime.toNanos();
    }

    Caller caller() {
        return caller;
    }

    SagaId saga() {
        return saga;
    }

    /** The number of attempts that were sent. */
    synchronized int sent() {
        return sent;
    }

    /** The time of the last state that was sent; null before the first. */
    synchronized @Nullable Instant seen() {
        return seen;
    }

    /** Sends the state if it has changed, and the new ones of {@code attempts}, which begin after the {@code from}-th. */
    synchronized void offer(Saga now, int from, List<StepLog> attempts) {
        var fresh = attempts.subList(Math.min(attempts.size(), Math.max(0, sent - from)), attempts.size());
        if (ended || (now.updatedAt().equals(seen) && fresh.isEmpty())) {
            return;
        }
        // A state counts as sent only with all its attempts.
        boolean more = attempts.size() >= SagaUpdateStore.MAX_ATTEMPTS;
        seen = more ? null : now.updatedAt();
        sent += fresh.size();
        listener.changed(new SagaUpdate(now, fresh, sent));
        if (now.status().isTerminal() && !more) {
            end();
        }
    }

    /** Ends the watch if its lifetime is over. */
    synchronized void endIfExpired() {
        if (!ended && System.nanoTime() - expiry >= 0) {
            ended = true;
            listener.expired();
        }
    }

    synchronized void end() {
        if (!ended) {
            ended = true;
            listener.ended();
        }
    }

    /** Stops the watch without notifying the listener. */
    synchronized void close() {
        ended = true;
    }

    synchronized boolean isOver() {
        return ended || listener.isFull();
    }
}
