package io.hiroba.saga;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gauges of sagas on all nodes: one look along the indexes, up to a limit, for all of them and for some seconds. */
final class SagaQueueMetrics {

    private static final Logger log = LoggerFactory.getLogger(SagaQueueMetrics.class);
    private static final int MAX_COUNTED = 10_000;
    private static final Duration MAX_AGE = Duration.ofSeconds(15);

    private final Db db;
    private final SagaQueueStore store = new SagaQueueStore();
    private SagaQueueStore.@Nullable Counts counts;
    private long countedAt;

    SagaQueueMetrics(Db db) {
        this.db = db;
    }

    void register(MeterRegistry meters) {
        register(meters, "hiroba.sagas.active", "not ended", SagaQueueStore.Counts::active);
        register(
                meters,
                "hiroba.sagas.waiting",
                "waiting for a time, a signal or a node",
                SagaQueueStore.Counts::waiting);
        register(meters, "hiroba.sagas.stuck", "in need of an operator", SagaQueueStore.Counts::stuck);
        register(meters, "hiroba.sagas.late", "due for more than a minute", SagaQueueStore.Counts::late);
    }

    private void register(
            MeterRegistry meters, String name, String which, ToDoubleFunction<SagaQueueStore.Counts> value) {
        Gauge.builder(name, this, metrics -> metrics.value(value))
                .description("Sagas %s, on all nodes, counted up to %d".formatted(which, MAX_COUNTED))
                .strongReference(true)
                .register(meters);
    }

    private synchronized double value(ToDoubleFunction<SagaQueueStore.Counts> value) {
        try {
            var known = counts;
            if (known == null || System.nanoTime() - countedAt > MAX_AGE.toNanos()) {
                known = db.read(reads -> store.counts(reads, MAX_COUNTED));
                counts = known;
                countedAt = System.nanoTime();
            }
            return value.applyAsDouble(known);
        } catch (DbException e) {
            log.debug("sagas could not be counted", e);
            return Double.NaN;
        }
    }
}
