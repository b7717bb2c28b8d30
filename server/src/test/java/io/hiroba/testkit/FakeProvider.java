package io.hiroba.testkit;

import io.hiroba.knowledge.embedding.EmbeddingProvider;
import io.hiroba.knowledge.embedding.ProviderException;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Token;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** A provider without a model: texts that share words have vectors that are near. It can be told to fail. */
public final class FakeProvider implements EmbeddingProvider {

    public static final int DIMENSIONS = 64;

    /** A fault in place of an answer. */
    @FunctionalInterface
    public interface Failure {
        void fail(List<String> texts) throws ProviderException;
    }

    /** Every text that vectors were made of, in order. */
    public final Queue<String> embedded = new ConcurrentLinkedQueue<>();

    public final AtomicInteger calls = new AtomicInteger();
    private final Queue<Failure> failures = new ArrayDeque<>();
    private volatile Failure always = texts -> {};

    /** The next calls go wrong in these ways, one each. */
    public synchronized FakeProvider failing(Failure... next) {
        failures.addAll(List.of(next));
        return this;
    }

    /** Every call goes wrong in this way, unless {@link #failing} says otherwise. */
    public FakeProvider always(Failure failure) {
        always = failure;
        return this;
    }

    @Override
    public List<float[]> embed(List<String> texts, Purpose purpose) throws ProviderException {
        calls.incrementAndGet();
        next().fail(texts);
        if (purpose == Purpose.PASSAGE) {
            embedded.addAll(texts);
        }
        return texts.stream().map(FakeProvider::vector).toList();
    }

    private synchronized Failure next() {
        var failure = failures.poll();
        return failure == null ? always : failure;
    }

    /** The sum of a direction for each word. */
    public static float[] vector(String text) {
        var vector = new float[DIMENSIONS];
        for (Token token : Analysis.tokens(text)) {
            RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom")
                    .create(token.term().hashCode());
            for (int i = 0; i < DIMENSIONS; i++) {
                vector[i] += (float) random.nextGaussian();
            }
        }
        vector[0] += 0.001f;
        return vector;
    }
}
