package io.hiroba.saga.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void quantilesAreToldToWithinAFifth() {
        var latencies = new Latencies();
        assertThat(latencies.quantile(0.5)).isEmpty();
        for (int millis = 1; millis <= 1000; millis++) {
            latencies.add(Duration.ofMillis(millis));
        }
        var merged = new Latencies();
        merged.add(latencies.counts());
        assertThat(merged.quantile(0.5).orElseThrow()).isBetween(Duration.ofMillis(400), Duration.ofMillis(600));
        assertThat(merged.quantile(0.95).orElseThrow()).isBetween(Duration.ofMillis(760), Duration.ofMillis(1140));
    }

    @Test
    void whatIsLongerOrShorterThanAllPlacesIsCounted() {
        var latencies = new Latencies();
        latencies.add(Duration.ZERO);
        latencies.add(Duration.ofDays(30));
        assertThat(latencies.counts().getFirst() + latencies.counts().getLast()).isEqualTo(2);
    }
}
