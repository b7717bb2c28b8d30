package io.hiroba.bench.chaos.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.saga.SagaStatus;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./hiroba chaos saga}. */
class SagaChaosTest {

    /** Set {@code -Dhiroba.chaos.seed=…} to make the choices of an earlier run again. */
    private static final long SEED = Long.getLong("hiroba.chaos.seed", new Random().nextLong());

    @Test
    void whateverDiesEverySagaIsFinishedOrUndone() {
        try (var chaos = new SagaChaos(Duration.ofSeconds(10), SEED, SagaChaosTest::say)) {
            var report = chaos.run();
            say(chaos.summary() + "; " + report);
            assertThat(report.differences()).as("seed " + SEED).isEmpty();
            assertThat(chaos.missing()).as("points where no node died").isEmpty();
            assertThat(report.ended()).containsKeys(SagaStatus.COMPLETED, SagaStatus.FAILED);
            assertThat(chaos.counters().kills.get()).isPositive();
            assertThat(chaos.counters().terminatedConnections.get()).isPositive();
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
