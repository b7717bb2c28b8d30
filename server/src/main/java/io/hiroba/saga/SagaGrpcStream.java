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
 * A subscriber of one saga over gRPC. A slow reader gets only the newest state, and all attempts,
 * without what was sent and answered once that is too much; who does not read at all is disconnected.
 */
final class SagaGrpcStream implements SagaListener {

    /** So that no message is larger than what clients take unless configured to take more. */
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

    /** @param afterwards called when this has ended */
    SagaGrpcStream(ServerCallStreamObserver<WatchSagaResponse> reader, Consumer<SagaGrpcStream> afterwards) {
        this.reader = reader;
        this.afterwards = afterwards;
    }

    /** Takes the watch to close when the reader is gone, which may be so already. */
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

    /** Sends what is unread as far as the reader takes it. */
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
     * Nobody reads any more; false if that was known. What is watched is closed without this stream's lock, since who tells
     * of a saga holds that of the watch and waits for this one.
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
