package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionSignalTest {

    private final PartitionSignal signal = new PartitionSignal();

    @Test
    void whatIsSignalledForATakenPartitionWaitsForItsRelease() {
        var first = signal.take(200);
        assertThat(signal.take(200)).as("the others").hasSize(56).doesNotContainAnyElementsOf(first);
        int one = first.iterator().next();
        signal.raise(Set.of(one));
        assertThat(signal.take(200)).isEmpty();
        long seen = signal.wake().count();
        signal.release(first);
        signal.wake().await(seen, Duration.ofSeconds(10));
        assertThat(signal.wake().count()).isGreaterThan(seen);
        assertThat(signal.take(200)).containsExactly(one);
    }
}
