package io.hiroba.bench.chaos.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./hiroba chaos knowledge}. */
class KnowledgeChaosTest {

    /** Set {@code -Dhiroba.chaos.seed=…} to make the choices of an earlier run again. */
    private static final long SEED = Long.getLong("hiroba.chaos.seed", new Random().nextLong());

    @Test
    void whateverFailsEveryPassageAndMessageIsWhatPeopleWereTold() {
        try (var chaos = new KnowledgeChaos(Duration.ofSeconds(12), SEED, KnowledgeChaosTest::say)) {
            var report = chaos.run();
            say(chaos.summary() + "; " + report.counts());
            assertThat(report.differences()).as("seed " + SEED).isEmpty();
            assertThat(report.counts().statuses()).containsKeys("completed", "partial");
            assertThat(report.counts().dead()).containsKeys(TextDefect.REFUSED, TextDefect.POISON);
            assertThat(report.counts().parts()).isPositive();
            assertThat(chaos.counters().kills.get()).isPositive();
        }
    }

    private static void say(String message) {
        System.out.println(message);
    }
}
