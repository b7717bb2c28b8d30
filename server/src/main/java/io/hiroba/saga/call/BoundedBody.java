package io.hiroba.saga.call;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Reads an answer up to a number of bytes; the connection of a longer one is closed. */
final class BoundedBody implements BodySubscriber<BoundedBody.Read> {

    /**
     * The bytes that were read.
     *
     * @param complete whether that is all of it
     */
    record Read(ByteBuffer bytes, boolean complete) {}

    private final int max;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Read> read = new CompletableFuture<>();
    private @Nullable Subscription subscription;

    BoundedBody(int max) {
        this.max = max;
    }

    @Override
    public CompletionStage<Read> getBody() {
        return read;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (var buffer : buffers) {
            var part = new byte[Math.min(buffer.remaining(), max - bytes.size())];
            boolean fits = part.length == buffer.remaining();
            buffer.get(part);
            bytes.writeBytes(part);
            if (!fits) {
                end(false);
                return;
            }
        }
    }

    private void end(boolean complete) {
        if (read.complete(new Read(ByteBuffer.wrap(bytes.toByteArray()), complete))
                && !complete
                && subscription != null) {
            subscription.cancel();
        }
    }

    @Override
    public void onError(Throwable failure) {
        read.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        end(true);
    }
}
