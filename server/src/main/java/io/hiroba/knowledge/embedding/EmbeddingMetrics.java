package io.hiroba.knowledge.embedding;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The metrics of the embedding queue. */
final class EmbeddingMetrics {

    private final MeterRegistry meters;
    private final Counter embedded;
    private final Counter failed;
    private final Counter dead;

    EmbeddingMetrics(MeterRegistry meters, EmbeddingQueue queue) {
        this.meters = meters;
        this.embedded = Counter.builder("hiroba.knowledge.chunks.embedded")
                .description("Vectors of chunks written by this node")
                .register(meters);
        this.failed = Counter.builder("hiroba.knowledge.chunks.failed")
                .description("Tries of chunks that failed on this node")
                .register(meters);
        this.dead = Counter.builder("hiroba.knowledge.chunks.dead")
                .description("Chunks that this node made dead letters of")
                .register(meters);
        Gauge.builder("hiroba.knowledge.chunks.waiting", queue, EmbeddingQueue::waiting)
                .description("Chunks that wait for a vector, on all nodes")
                .register(meters);
    }

    void embedded(int chunks) {
        embedded.increment(chunks);
    }

    void failed(int chunks) {
        failed.increment(chunks);
    }

    void dead(int chunks) {
        dead.increment(chunks);
    }

    /** Registered for the life of the program, even after the space is retired. */
    void watch(EmbeddingSpace space, ProviderBreaker breaker) {
        Gauge.builder("hiroba.knowledge.embedding.breaker", breaker, EmbeddingMetrics::number)
                .description(
                        "Whether this node asks the provider: 0 it does, 1 it tries whether it is back, 2 it does not")
                .tag("provider", space.model().provider())
                .tag("model", space.model().name())
                .tag("space", String.valueOf(space.id()))
                .strongReference(true)
                .register(meters);
    }

    private static int number(ProviderBreaker breaker) {
        return switch (breaker.state()) {
            case CLOSED -> 0;
            case HALF_OPEN -> 1;
            case OPEN -> 2;
        };
    }
}
