package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
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

/**
 * A provider inside the program, without network or key. It has its own threads, since a computation never releases the
 * carrier of a virtual thread; queries have a separate thread, so that none waits behind a batch.
 */
final class LocalProvider implements EmbeddingProvider {

    static final Model MODEL = new Model("local", "bge-small-en-v1.5", 384);

    /** The timeout of a call, whose texts take some tenths of a second each. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** One core is left to requests. */
    private static final int PASSAGE_THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    private final ExecutorService passages = threads("embedding of passages", PASSAGE_THREADS);

    private final ExecutorService queries = threads("embedding of queries", 1);

    private final TextEncoder encoder;

    /** Loaded with the first text: 35 MB take half a second. */
    private static final class Loaded {
        static final LocalModel MODEL = LocalModel.load();
    }

    LocalProvider() {
        this((text, purpose) -> Loaded.MODEL.encode(text, purpose));
    }

    /** @param encoder loads its model with the first text, on a thread of this provider */
    LocalProvider(TextEncoder encoder) {
        this.encoder = encoder;
    }

    private static ExecutorService threads(String name, int count) {
        return Executors.newFixedThreadPool(
                count, Thread.ofPlatform().daemon().name(name).factory());
    }

    @Override
    public int concurrency(int max) {
        return 1;
    }

    /**
     * Small batches, since larger ones are not faster: the lease must not expire on a slow machine, and progress shows when a batch
     * is done.
     */
    @Override
    public int batch(int max) {
        return Math.min(max, Math.max(4, 2 * PASSAGE_THREADS));
    }

    @Override
    public List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException {
        if (texts.stream().anyMatch(String::isBlank)) {
            throw new ProviderException(Fault.TEXT_REFUSED, "there is nothing in it");
        }
        long end = System.nanoTime() + LIMIT.toNanos();
        var threads = purpose == Purpose.QUERY ? queries : passages;
        var under = new ArrayList<Future<float[]>>(texts.size());
        try {
            for (var text : texts) {
                under.add(threads.submit(() -> vector(text, purpose)));
            }
            var vectors = new ArrayList<float[]>(texts.size());
            for (var one : under) {
                vectors.add(one.get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
            }
            return vectors;
        } catch (ExecutionException e) {
            throw new ProviderException(fault(e, threads, purpose), "the local model failed", null, e.getCause());
        } catch (TimeoutException e) {
            throw new ProviderException(Fault.EMBEDDING_API_TIMEOUT, "the local model is busy", null, e);
        } catch (RejectedExecutionException e) {
            throw new ProviderException(Fault.UNREACHABLE, "the local model is closed", null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProviderException(Fault.UNREACHABLE, "interrupted", null, e);
        } finally {
            under.forEach(one -> one.cancel(false));
        }
    }

    /**
     * An error means that the native library does not fit the machine. A model that still embeds a word failed because of
     * the text: the model finds no token in some, such as a lone zero-width space.
     */
    private Fault fault(ExecutionException failure, ExecutorService threads, Purpose purpose) {
        if (failure.getCause() instanceof Error) {
            return Fault.UNREACHABLE;
        }
        try {
            threads.submit(() -> vector(PROBE_TEXT, purpose)).get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
            return Fault.TEXT_REFUSED;
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            return Fault.SERVER_ERROR;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Fault.UNREACHABLE;
        }
    }

    private float[] vector(String text, Purpose purpose) {
        return encoder.encode(text, purpose);
    }

    @Override
    public void unload() {
        encoder.unload();
    }

    @Override
    public void close() {
        // Running texts finish: native code ignores interrupts.
        passages.shutdownNow();
        queries.shutdownNow();
        encoder.close();
    }
}
