package io.hiroba.bench.chaos.everything;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./hiroba chaos everything}. */
class EverythingChaosTest {

    /** Set {@code -Dhiroba.chaos.seed=…} to make the choices of an earlier run again. */
    private static final long SEED = Long.getLong("hiroba.chaos.seed", new Random().nextLong());

    @Test
    void whateverFailsAllThatWasAcknowledgedIsThereOnce() {
        try (var chaos = new EverythingChaos(Duration.ofSeconds(4), SEED, EverythingChaosTest::say)) {
            var differences = chaos.run();
            say(chaos.summary());
            assertThat(differences).as("seed " + SEED).isEmpty();
            assertThat(LedgerKind.values())
                    .allSatisfy(kind -> assertThat(chaos.acknowledged(kind)).isPositive());
            assertThat(chaos.counters().kills.get()).isPositive();
            assertThat(chaos.crashes()).isPositive();
        }
    }

    private static void say(String message) {
        System.out.println(message);
    }
}
