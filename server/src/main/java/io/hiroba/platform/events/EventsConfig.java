package io.hiroba.platform.events;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The configuration of event consumers on this node. */
public record EventsConfig(
        @Default("2") @Doc("Workers of each consumer on this node.")
        int workers,

        @Default("1000") @Doc("Events handled in one transaction at most.")
        int batchSize,

        @Default("10s") @Doc("How often a node looks for events of which no signal has reached it.")
        Duration poll,

        @Default("4s") @Doc("A batch whose node says nothing to the database for so long is given to another node.")
        Duration stall,

        @Default("90d") @Doc("How long events are kept.") Duration retention) {

    public static final EventsConfig DEFAULT =
            new EventsConfig(2, 1000, Duration.ofSeconds(10), Duration.ofSeconds(4), Duration.ofDays(90));

    public EventsConfig {
        if (workers < 1 || workers > Partitions.COUNT) {
            throw new IllegalArgumentException("workers must be between 1 and 256, not " + workers);
        }
        if (batchSize < 1 || batchSize > 100_000) {
            throw new IllegalArgumentException("batch-size must be between 1 and 100000, not " + batchSize);
        }
        if (poll.toMillis() < 10) {
            throw new IllegalArgumentException("poll must be at least 10ms");
        }
        if (stall.toMillis() < 1000) {
            throw new IllegalArgumentException("stall must be at least 1s");
        }
        if (retention.toHours() < 1) {
            throw new IllegalArgumentException("retention must be at least 1h");
        }
    }
}
