package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PartitionsTest {

    @Test
    void naturalIdsSpreadEvenly() {
        // One user each few seconds: worker and sequence are always 0, as they are in life.
        long start = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
        int users = 256 * 400;
        var counts = new int[Partitions.COUNT];
        for (int user = 0; user < users; user++) {
            counts[Partitions.of((start + user * 3_137L) << 20)]++;
        }
        double mean = (double) users / Partitions.COUNT;
        double chiSquare = Arrays.stream(counts)
                .mapToDouble(n -> (n - mean) * (n - mean) / mean)
                .sum();
        // 255 degrees of freedom: 330 is passed by chance once in a thousand.
        assertThat(chiSquare).isLessThan(330);
        assertThat(Arrays.stream(counts).max().orElseThrow() / mean).isLessThan(1.25);
    }
}
