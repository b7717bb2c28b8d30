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
        try (var chaos = new KnowledgeChaos(Duration.ofSeconds(20), SEED, KnowledgeChaosTest::say)) {
            var findings = chaos.run();
            say(chaos.tally() + "; " + findings.counts());
            assertThat(findings.differences()).as("seed " + SEED).isEmpty();
            assertThat(findings.counts().statuses()).containsKeys("completed", "partial");
            assertThat(findings.counts().dead()).containsKeys(Flaw.REFUSED, Flaw.POISON);
            assertThat(findings.counts().parts()).isPositive();
            assertThat(chaos.counts().kills.get()).isPositive();
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
