package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionHealthTest {

    private static final Instant NOW = Instant.parse("2026-11-19T10:00:00Z");

    private final PartitionHealth health = new PartitionHealth();

    @Test
    void whatFailsAgainAndAgainWaitsLongerEachTime() {
        assertThat(failed(false)).isEqualTo(Duration.ofSeconds(1));
        assertThat(failed(false)).isEqualTo(Duration.ofSeconds(2));
        assertThat(failed(false)).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void whatNoEventCausedMakesNoWaitLonger() {
        assertThat(failed(true)).isEqualTo(Duration.ofSeconds(1));
        assertThat(failed(true)).isEqualTo(Duration.ofSeconds(1));
        assertThat(failed(false)).isEqualTo(Duration.ofSeconds(2));
        assertThat(failed(true)).isEqualTo(Duration.ofSeconds(2));
    }

    private Duration failed(boolean passing) {
        return health.failed(Set.of(7), NOW, passing);
    }
}
