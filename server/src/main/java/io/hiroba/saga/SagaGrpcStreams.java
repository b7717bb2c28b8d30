package io.hiroba.saga;

import io.grpc.Status;
import io.hiroba.accounts.UserId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The open gRPC streams of this node. A caller who opens one too many loses the oldest, as with event streams over HTTP.
 * No stream is ended under the lock, since it then removes itself here.
 */
final class SagaGrpcStreams {

    static final int MAX_PER_CALLER = 10;

    private static final Status STOPS = Status.UNAVAILABLE.withDescription("The server is shutting down. Watch again.");
    private static final Status TOO_MANY = Status.RESOURCE_EXHAUSTED.withDescription(
            "You are watching more than " + MAX_PER_CALLER + " sagas at once.");

    private final Map<UserId, Deque<SagaGrpcStream>> open = new HashMap<>();
    private boolean ended;

    void add(UserId caller, SagaGrpcStream stream) {
        var excess = enter(caller, stream);
        excess.forEach(each -> each.end(TOO_MANY));
    }

    private synchronized List<SagaGrpcStream> enter(UserId caller, SagaGrpcStream stream) {
        var own = open.computeIfAbsent(caller, key -> new ArrayDeque<>());
        own.add(stream);
        return own.size() > MAX_PER_CALLER ? List.of(own.remove()) : List.of();
    }

    synchronized void remove(UserId caller, SagaGrpcStream stream) {
        open.computeIfPresent(caller, (key, own) -> {
            own.removeAll(List.of(stream));
            return own.isEmpty() ? null : own;
        });
    }

    /** Ends the stream if the node is stopping, which may have begun after the stream was added. */
    void endIfStopping(SagaGrpcStream stream) {
        if (isEnded()) {
            stream.end(STOPS);
        }
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    /** Ends all streams: clients reconnect to another node, or to this one after its restart. */
    void end() {
        all().forEach(stream -> stream.end(STOPS));
    }

    private synchronized List<SagaGrpcStream> all() {
        ended = true;
        return open.values().stream().flatMap(Deque::stream).toList();
    }
}
