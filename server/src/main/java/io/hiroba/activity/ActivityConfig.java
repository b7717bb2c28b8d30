package io.hiroba.activity;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;

/** The configuration of notification cards. */
public record ActivityConfig(
        @Default("90d") @Doc("How long a card is kept, from its first act on.")
        Duration retention) {

    public static final ActivityConfig DEFAULT = new ActivityConfig(Duration.ofDays(90));

    public ActivityConfig {
        if (retention.toDays() < 2) {
            throw new IllegalArgumentException("retention must be at least 2d: a card is filled for a whole day");
        }
    }
}
