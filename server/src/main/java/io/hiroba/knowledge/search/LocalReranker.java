package io.hiroba.knowledge.search;

import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleBiFunction;

/** Scores pairs with a model inside the program, on threads of its own: a computation never releases a virtual one's carrier. */
final class LocalReranker implements Reranker {

    /** One core is left to requests. */
    private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    private final ToDoubleBiFunction<String, String> model;
    private final Duration timeout;
    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().daemon().name("reranking").factory());

    LocalReranker(ToDoubleBiFunction<String, String> model, Duration timeout) {
        this.model = model;
        this.timeout = timeout;
    }

    @Override
    public double[] scores(String query, List<String> passages) throws ProviderException {
        long end = System.nanoTime() + timeout.toNanos();
        var pairs = new ArrayList<Future<Double>>(passages.size());
        try {
            for (var passage : passages) {
                pairs.add(threads.submit(() -> model.applyAsDouble(query, passage)));
            }
            var scores = new double[pairs.size()];
            for (int i = 0; i < scores.length; i++) {
                scores[i] = pairs.get(i).get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            return scores;
        } catch (ExecutionException e) {
            throw new ProviderException(Fault.SERVER_ERROR, "the model failed", null, e.getCause());
        } catch (TimeoutException e) {
            throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "the model is busy or too slow", null, e);
        } catch (RejectedExecutionException e) {
            throw new ProviderException(Fault.UNREACHABLE, "the model is closed", null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderException(Fault.UNREACHABLE, "interrupted", null, e);
        } finally {
            pairs.forEach(pair -> pair.cancel(false));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
