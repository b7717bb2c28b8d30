package io.hiroba.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./hiroba chaos activity}. */
class ActivityChaosTest {

    /** Set {@code -Dhiroba.chaos.seed=…} to make the choices of an earlier run again. */
    private static final long SEED = Long.getLong("hiroba.chaos.seed", new Random().nextLong());

    @Test
    void whateverIsKilledNoActIsLostOrDoubled() {
        try (var chaos = new ActivityChaos(ChaosSettings.of(Duration.ofSeconds(12), SEED), Chaos::print)) {
            var comparison = chaos.run();
            Chaos.print(chaos.counters().toString());
            assertThat(comparison.differences()).as("seed " + SEED).isEmpty();
            assertThat(comparison.large())
                    .as("cards with more acts than they show, of %d", comparison.cards())
                    .isPositive();
            assertThat(chaos.counters().kills.get()).isPositive();
            assertThat(chaos.counters().done.get()).as("acts between the kills").isPositive();
        }
    }
}
