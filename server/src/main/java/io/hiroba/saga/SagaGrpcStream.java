package io.hiroba.saga;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.hiroba.contract.saga.v1.Saga;
import io.hiroba.contract.saga.v1.StepLog;
import io.hiroba.contract.saga.v1.WatchSagaResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One who watches a saga over gRPC. To somebody who reads slowly only the newest state is told, and all attempts, without
 * what was sent and answered once that is too much; who does not read at all is sent away.
 */
final class SagaGrpcStream implements SagaListener {

    /** So that no message is larger than what clients take unless they are told to take more. */
    private static final int LARGEST_MESSAGE = 1 << 20;

    private static final int MOST_UNREAD = 10_000;
    private static final int MOST_BYTES = 8 << 20;

    private final ServerCallStreamObserver<WatchSagaResponse> reader;
    private final Consumer<SagaGrpcStream> afterwards;
    private final Deque<StepLog> unread = new ArrayDeque<>();
    private final ByteBudget room = new ByteBudget(MOST_BYTES);
    private @Nullable Saga newest;
    private SagaWatches.@Nullable Watching watching;
    private boolean ended;
    private boolean closed;

    /** @param afterwards told when this has ended */
    SagaGrpcStream(ServerCallStreamObserver<WatchSagaResponse> reader, Consumer<SagaGrpcStream> afterwards) {
        this.reader = reader;
        this.afterwards = afterwards;
    }

    /** What is to be closed when nobody reads any more, which may be so already. */
    void over(SagaWatches.Watching watching) {
        synchronized (this) {
            this.watching = watching;
            if (!closed) {
                return;
            }
        }
        watching.close();
    }

    @Override
    public void changed(SagaUpdate news) {
        if (isTooMuch(news)) {
            end(Status.RESOURCE_EXHAUSTED.withDescription("What was told was not read: watch the saga again."));
        } else {
            send();
        }
    }

    private synchronized boolean isTooMuch(SagaUpdate news) {
        newest = SagaMessages.of(news.saga());
        news.attempts().forEach(attempt -> unread.add(room.fit(SagaMessages.of(attempt))));
        return unread.size() > MOST_UNREAD;
    }

    @Override
    public synchronized void ended() {
        ended = true;
        send();
    }

    @Override
    public void expired() {
        end(Status.UNAVAILABLE.withDescription("A watch lasts some minutes: watch again."));
    }

    @Override
    public synchronized boolean isFull() {
        return closed;
    }

    /** Sends what is unread as far as the reader takes it. */
    synchronized void send() {
        while (!closed && reader.isReady() && newest != null) {
            var message = WatchSagaResponse.newBuilder();
            int size = newest.getSerializedSize();
            while (!unread.isEmpty()
                    && (message.getStepsCount() == 0
                            || size + unread.getFirst().getSerializedSize() < LARGEST_MESSAGE)) {
                var step = unread.removeFirst();
                room.free(step);
                size += step.getSerializedSize();
                message.addSteps(step);
            }
            message.setSaga(newest);
            if (unread.isEmpty()) {
                newest = null;
            }
            reader.onNext(message.build());
        }
        if (ended && newest == null && !closed) {
            closed = true;
            afterwards.accept(this);
            reader.onCompleted();
        }
    }

    void end(Status status) {
        if (close()) {
            reader.onError(status.asRuntimeException());
        }
    }

    /**
     * Nobody reads any more; false if that was known. What is watched is closed without this stream's lock, since who tells
     * of a saga holds that of the watch and waits for this one.
     */
    boolean close() {
        SagaWatches.Watching watched;
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            unread.clear();
            watched = watching;
        }
        if (watched != null) {
            watched.close();
        }
        afterwards.accept(this);
        return true;
    }
}
