package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.knowledge.embedding.ProviderBreaker.State;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProviderBreakerTest {

    private final AtomicLong now = new AtomicLong(-5);
    private final ProviderBreaker breaker =
            new ProviderBreaker(Duration.ofSeconds(5), Duration.ofSeconds(15), now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void aProviderIsAskedUntilItIsAway() {
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.pause()).isZero();
        assertThat(breaker.open(Fault.UNREACHABLE)).isTrue();
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.open(Fault.UNREACHABLE))
                .as("others find out as well")
                .isFalse();
        assertThat(breaker.pause()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void pausesGrowUpToTheLongest() {
        breaker.open(Fault.SERVER_ERROR);
        for (int seconds : new int[] {5, 10, 15, 15}) {
            assertThat(breaker.pause()).isEqualTo(Duration.ofSeconds(seconds));
            pass(Duration.ofSeconds(seconds));
            assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
            breaker.failedAgain(Fault.UNREACHABLE);
            assertThat(breaker.fault()).contains(Fault.UNREACHABLE);
        }
        breaker.close();
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        breaker.open(Fault.SERVER_ERROR);
        assertThat(breaker.pause()).as("from the beginning").isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void anAnswerFromBeforeItWentAwayDoesNotMeanItIsBack() {
        breaker.open(Fault.AUTHENTICATION_ERROR);
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    void aLimitIsARestAndNoFault() {
        assertThat(breaker.rateLimited(Optional.of(Duration.ofSeconds(3)))).isEqualTo(Duration.ofSeconds(3));
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.rateLimited(Optional.of(Duration.ofSeconds(1))))
                .as("another call was told to wait longer")
                .isEqualTo(Duration.ofSeconds(3));
        pass(Duration.ofSeconds(3));
        assertThat(breaker.pause()).isZero();
    }

    @Test
    void limitsWithoutATimeGrowUntilAnAnswer() {
        assertThat(breaker.rateLimited(Optional.empty())).isEqualTo(Duration.ofSeconds(10));
        pass(Duration.ofSeconds(10));
        assertThat(breaker.rateLimited(Optional.empty())).isEqualTo(Duration.ofSeconds(20));
        pass(Duration.ofSeconds(20));
        breaker.succeeded();
        assertThat(breaker.rateLimited(Optional.of(Duration.ZERO))).isEqualTo(Duration.ofSeconds(10));
    }
}
