package io.hiroba.saga;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.hiroba.contract.saga.v1.Saga;
import io.hiroba.contract.saga.v1.StepLog;
import io.hiroba.contract.saga.v1.WatchSagaResponse;
import io.hiroba.saga.SagaListener.SagaUpdate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber of one saga over gRPC. A slow client gets only the newest state and all attempts, without their bodies once
 * those are too large; a client that does not read at all is disconnected.
 */
final class SagaGrpcStream implements SagaListener {

    /** Keeps messages within the default limit of clients. */
    private static final int MAX_MESSAGE_SIZE = 1 << 20;

    private static final int MAX_UNREAD = 10_000;
    private static final int MAX_UNREAD_BYTES = 8 << 20;

    private final ServerCallStreamObserver<WatchSagaResponse> reader;
    private final Consumer<SagaGrpcStream> afterwards;
    private final Deque<StepLog> unread = new ArrayDeque<>();
    private final ByteBudget budget = new ByteBudget(MAX_UNREAD_BYTES);
    private @Nullable Saga newest;
    private SagaWatches.@Nullable Handle watching;
    private boolean ended;
    private boolean closed;

    /** @param afterwards called when the stream has ended */
    SagaGrpcStream(ServerCallStreamObserver<WatchSagaResponse> reader, Consumer<SagaGrpcStream> afterwards) {
        this.reader = reader;
        this.afterwards = afterwards;
    }

    /** Sets the watch to close when the client is gone, which may be so already. */
    void over(SagaWatches.Handle watching) {
        synchronized (this) {
            this.watching = watching;
            if (!closed) {
                return;
            }
        }
        watching.close();
    }

    @Override
    public void changed(SagaUpdate update) {
        if (isTooMuch(update)) {
            end(Status.RESOURCE_EXHAUSTED.withDescription("The client reads too slowly. Watch the saga again."));
        } else {
            send();
        }
    }

    private synchronized boolean isTooMuch(SagaUpdate update) {
        newest = SagaMessages.of(update.saga());
        update.attempts().forEach(attempt -> unread.add(budget.fit(SagaMessages.of(attempt))));
        return unread.size() > MAX_UNREAD;
    }

    @Override
    public synchronized void ended() {
        ended = true;
        send();
    }

    @Override
    public void expired() {
        end(Status.UNAVAILABLE.withDescription("The watch has expired. Watch again."));
    }

    @Override
    public synchronized boolean isFull() {
        return closed;
    }

    /** Sends the pending updates as far as the client is ready. */
    synchronized void send() {
        while (!closed && reader.isReady() && newest != null) {
            var message = WatchSagaResponse.newBuilder();
            int size = newest.getSerializedSize();
            while (!unread.isEmpty()
                    && (message.getStepsCount() == 0
                            || size + unread.getFirst().getSerializedSize() < MAX_MESSAGE_SIZE)) {
                var step = unread.removeFirst();
                budget.free(step);
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
     * Ends the stream; false if it had ended. The watch is closed without this stream's lock: a publisher holds the lock of
     * the watch and waits for this one.
     */
    boolean close() {
        SagaWatches.Handle watched;
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
