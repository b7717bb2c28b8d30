package io.hiroba.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.TestDatabase;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
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

    @Test
    void theDatabaseKnowsTheSamePartitions() {
        var recipients = new Random(7).longs(1_000).boxed().toArray(Long[]::new);
        recipients[0] = 0L;
        recipients[1] = -1L;
        recipients[2] = Long.MAX_VALUE;
        recipients[3] = Long.MIN_VALUE;
        try (var database = TestDatabase.create()) {
            var found = database.db()
                    .read(reads -> reads.query("""
                            SELECT platform.event_partition(recipient)
                            FROM unnest(:recipients) WITH ORDINALITY AS r (recipient, n)
                            ORDER BY n
                            """)
                            .bindArray("recipients", Long.class, (Object[]) recipients)
                            .mapTo(Short.class)
                            .list());
            assertThat(found)
                    .containsExactly(
                            Arrays.stream(recipients).map(Partitions::of).toArray(Short[]::new));
        }
    }
}
