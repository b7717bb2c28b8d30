package io.hiroba.platform.id;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidV7Test {

    private final SettableClock clock = new SettableClock(Instant.parse("2026-11-15T12:00:00Z"));
    private final UuidV7 ids = new UuidV7(clock);

    @Test
    void itIsOfVersionSevenAndTellsItsTime() {
        var id = ids.next();
        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(clock.millis());
        assertThat(id.toString())
                .isGreaterThanOrEqualTo(UuidV7.lowestAt(clock.millis()).toString());
    }

    @Test
    void thoseOfOneGeneratorGoUpAlsoWhenTheClockGoesBackOrTheMillisecondIsFull() {
        UUID last = ids.next();
        for (int n = 0; n < 10_000; n++) {
            if (n == 5_000) {
                clock.advance(Duration.ofHours(-1));
            }
            var next = ids.next();
            assertThat(next.toString()).isGreaterThan(last.toString());
            last = next;
        }
    }
}
