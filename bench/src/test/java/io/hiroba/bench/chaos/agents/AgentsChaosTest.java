package io.hiroba.bench.chaos.agents;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The short form of {@code ./hiroba chaos agents}. */
class AgentsChaosTest {

    /** Set {@code -Dhiroba.chaos.seed=…} to make the choices of an earlier run again. */
    private static final long SEED = Long.getLong("hiroba.chaos.seed", new Random().nextLong());

    @Test
    void whateverFailsEveryQuestionIsAnsweredOnceOrRefusedWithAReason() {
        try (var chaos = new AgentsChaos(Duration.ofSeconds(12), SEED, AgentsChaosTest::say)) {
            var report = chaos.run();
            say(chaos.summary() + "; " + report.ended());
            assertThat(report.differences()).as("seed " + SEED).isEmpty();
            assertThat(report.ended()).containsKeys("answered", "refused caller");
            assertThat(chaos.decisions().approved()).isNotEmpty();
            assertThat(chaos.counters().kills.get()).isPositive();
        }
    }

    private static void say(String message) {
        System.out.println(message);
    }
}
