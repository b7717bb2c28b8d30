package io.hiroba.saga.call;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Counts durations in places that grow by the square root of two from one millisecond on, which tells quantiles to within a fifth. */
final class Latencies {

    static final int SIZE = 44;

    private final long[] counts = new long[SIZE];

    void add(Duration took) {
        counts[place(took)]++;
    }

    void add(List<Integer> others) {
        for (int i = 0; i < Math.min(SIZE, others.size()); i++) {
            counts[i] += others.get(i);
        }
    }

    /** The counts, for the database. */
    List<Integer> counts() {
        return Arrays.stream(counts)
                .mapToObj(count -> (int) Math.min(Integer.MAX_VALUE, count))
                .toList();
    }

    /** The duration that this part of all did not exceed; empty where there are none. */
    Optional<Duration> quantile(double part) {
        long all = 0;
        for (var count : counts) {
            all += count;
        }
        long rank = (long) Math.ceil(all * part);
        long seen = 0;
        for (int i = 0; i < SIZE && all > 0; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Optional.of(Duration.ofNanos((long) (1_000_000 * Math.pow(2, (i - 0.5) / 2))));
            }
        }
        return Optional.empty();
    }

    /** Place n holds those above 2^((n-1)/2) and up to 2^(n/2) milliseconds. */
    private static int place(Duration took) {
        double millis = took.toNanos() / 1_000_000.0;
        int place = millis <= 1 ? 0 : (int) Math.ceil(2 * Math.log(millis) / Math.log(2) - 1e-9);
        return Math.clamp(place, 0, SIZE - 1);
    }
}
