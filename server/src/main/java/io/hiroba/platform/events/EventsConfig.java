package io.hiroba.platform.events;

import java.time.Duration;

/**
 * How this node consumes the event log.
 *
 * @param workers threads a consumer
 * @param batchSize events handled in one transaction at most
 * @param poll how long a worker that nobody wakes waits before it looks again
 * @param stall a batch whose node says nothing to the database for so long is given to another node
 * @param retention how long events are kept
 */
public record EventsConfig(int workers, int batchSize, Duration poll, Duration stall, Duration retention) {

    public static final EventsConfig DEFAULT =
            new EventsConfig(2, 1000, Duration.ofMillis(500), Duration.ofSeconds(4), Duration.ofDays(90));

    public EventsConfig {
        if (workers < 1 || workers > Partitions.COUNT) {
            throw new IllegalArgumentException("workers must be between 1 and 256, not " + workers);
        }
        if (batchSize < 1 || batchSize > 100_000) {
            throw new IllegalArgumentException("batch-size must be between 1 and 100000, not " + batchSize);
        }
    }
}
