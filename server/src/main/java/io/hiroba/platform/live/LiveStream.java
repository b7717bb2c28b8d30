package io.hiroba.platform.live;

import io.hiroba.platform.http.EventStream;
import io.hiroba.platform.live.LiveSource.Subscription;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/** A reader's stream, into which several sources write. */
final class LiveStream {

    private final Map<String, Subscription> subscriptions;
    private final EventStream stream;
    private final Map<String, String> positions = new LinkedHashMap<>();

    LiveStream(Map<String, Subscription> subscriptions, EventStream stream) {
        this.subscriptions = subscriptions;
        this.stream = stream;
        subscriptions.forEach((source, subscription) -> positions.put(source, subscription.position()));
    }

    /** Starts every subscription; the returned action ends all of them. */
    Runnable begin() {
        Deque<Runnable> ends = new ArrayDeque<>();
        try {
            subscriptions.forEach((source, subscription) ->
                    ends.push(subscription.begin((position, event, json) -> send(source, position, event, json))));
        } catch (RuntimeException failure) {
            ends.forEach(Runnable::run);
            throw failure;
        }
        return () -> ends.forEach(Runnable::run);
    }

    /** Synchronized, so that ids and messages have the same order. */
    private synchronized void send(String source, String position, String event, String json) {
        positions.put(source, position);
        stream.send(LivePositions.text(positions), event, json);
    }
}
