package io.hiroba.inbox;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The configuration of the inbox. */
public record InboxConfig(
        @Default("90d") @Doc("How long an item is kept after it was done. One that is saved is kept.")
        Duration retention,

        @Default("30d") @Doc("How long items wait for people who have no account yet.")
        Duration waiting,

        @Default("1h")
        @Doc("How long after somebody has lost access to a namespace its items go. Who is back until then keeps them.")
        Duration accessGrace,

        @Default("7d") @Doc("How long before an SSH key expires its owner is notified.")
        Duration keyNotice,

        @Default("30d") @Doc("How long the calls of webhooks are kept after they were handled.")
        Duration deliveries,

        @Default("4") @Doc("Calls of webhooks that a node handles at once.")
        int workers,

        @Default("6000")
        @Doc(
                "Calls of webhooks a minute that a connection may make on each node. GitLab turns off webhooks that are refused often.")
        int webhooksPerMinute) {

    public static final InboxConfig DEFAULT = new InboxConfig(
            Duration.ofDays(90),
            Duration.ofDays(30),
            Duration.ofHours(1),
            Duration.ofDays(7),
            Duration.ofDays(30),
            4,
            6000);

    public InboxConfig {
        if (retention.toHours() < 1 || waiting.toHours() < 1 || deliveries.toHours() < 1) {
            throw new IllegalArgumentException("retention, waiting and deliveries must be at least 1h");
        }
        if (accessGrace.isNegative() || keyNotice.isNegative()) {
            throw new IllegalArgumentException("access-grace and key-notice must not be negative");
        }
        if (webhooksPerMinute < 1) {
            throw new IllegalArgumentException("webhooks-per-minute must be at least 1");
        }
        if (workers < 1 || workers > 64) {
            throw new IllegalArgumentException("workers must be between 1 and 64, not " + workers);
        }
    }
}
