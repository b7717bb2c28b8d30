package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionSignalTest {

    private final PartitionSignal signal = new PartitionSignal(Duration.ZERO);

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

    @Test
    void aFewPartitionsWaitSoThatMoreShareABatch() {
        var paced = new PartitionSignal(Duration.ofSeconds(10));
        assertThat(paced.take(200)).as("nothing was taken before").hasSize(200);
        assertThat(paced.take(56)).as("as many as a batch has do not wait").hasSize(56);
        paced.release(PartitionSignal.ALL);
        paced.raise(Set.of(1, 2));
        assertThat(paced.take(56)).isEmpty();
        paced.raise(Set.of(3));
        assertThat(paced.take(3)).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void thosePartitionsWakeTheWorkersWhenTheirTimeHasCome() {
        var paced = new PartitionSignal(Duration.ofMillis(50));
        paced.release(paced.take(256));
        paced.raise(Set.of(7));
        Set<Integer> taken;
        long seen = paced.wake().count();
        for (taken = paced.take(32); taken.isEmpty(); taken = paced.take(32)) {
            paced.wake().await(seen, Duration.ofSeconds(10));
            assertThat(paced.wake().count()).isGreaterThan(seen);
            seen = paced.wake().count();
        }
        assertThat(taken).containsExactly(7);
    }
}
