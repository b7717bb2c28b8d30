package io.hiroba.webhooks;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The configuration of outgoing webhooks. */
public record WebhooksConfig(
        @Default("false")
        @Doc(
                "Whether webhooks may be sent to private and loopback addresses, and over http. Leave it false unless everybody"
                        + " with an account may reach what answers there.")
        boolean privateAddresses,

        @Default("10s") @Doc("How long a receiver may take to answer.")
        Duration timeout,

        @Default("5s")
        @Doc("The pause after the first failure of a delivery; each further one is four times as long, up to 6h.")
        Duration retryDelay,

        @Default("24h") @Doc("How long a delivery is tried.")
        Duration giveUpAfter,

        @Default("3d") @Doc("A webhook that has not delivered anything for so long is disabled.")
        Duration disableAfter,

        @Default("100000")
        @Doc(
                "Deliveries that may wait for a webhook which has not delivered anything for an hour; with more it is disabled.")
        int maxPending,

        @Default("30d") @Doc("How long the log of deliveries is kept.")
        Duration retention,

        @Default("20") @Doc("Webhooks that a user may have.")
        int perUser) {

    public WebhooksConfig {
        if (timeout.toMillis() < 100 || timeout.toSeconds() > 60) {
            throw new IllegalArgumentException("timeout must be between 100ms and 60s");
        }
        if (retryDelay.toMillis() < 10) {
            throw new IllegalArgumentException("retry-delay must be at least 10ms");
        }
        if (giveUpAfter.compareTo(retryDelay) < 0) {
            throw new IllegalArgumentException("give-up-after must be at least retry-delay");
        }
        if (disableAfter.toMillis() < 100) {
            throw new IllegalArgumentException("disable-after must be at least 100ms");
        }
        if (maxPending < 1) {
            throw new IllegalArgumentException("max-pending must be at least 1, not " + maxPending);
        }
        if (retention.toHours() < 1) {
            throw new IllegalArgumentException("retention must be at least 1h");
        }
        if (perUser < 1 || perUser > 1000) {
            throw new IllegalArgumentException("per-user must be between 1 and 1000, not " + perUser);
        }
    }
}
