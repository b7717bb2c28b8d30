package io.hiroba.bench.records;

import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** A record to write, derived from its number. */
record SampleRecord(
        UUID id,
        String title,
        String sku,
        String status,
        String city,
        String price,
        int quantity,
        String rating,
        long soldAtMillis,
        boolean active,
        String extra) {

    static final List<String> ADJECTIVES = List.of(
            "amber", "brave", "calm", "dusty", "early", "faint", "green", "hollow", "icy", "jolly", "keen", "little",
            "mellow", "narrow", "old", "plain");
    static final List<String> NOUNS = List.of(
            "anchor", "basket", "candle", "drawer", "engine", "feather", "glass", "hammer", "island", "jacket",
            "kettle", "lantern", "mirror", "needle", "orchard", "pillow");

    private static final long FIRST = 1_704_067_200_000L;

    static String sku(long number) {
        return "SKU-%08x".formatted(number * 2_654_435_761L & 0xFFFFFFFFL);
    }

    static SampleRecord of(long number) {
        var random = new SplittableRandom(number);
        long millis = FIRST + number * 30;
        return new SampleRecord(
                new UUID(millis << 16 | 0x7000 | random.nextInt(4096), random.nextLong() >>> 2 | Long.MIN_VALUE),
                "%s %s %d".formatted(ADJECTIVES.get(random.nextInt(16)), NOUNS.get(random.nextInt(16)), number),
                sku(number),
                random.nextInt(10) < 7 ? QueryValues.STATUS : "paused",
                "city " + (int) (200 * Math.pow(random.nextDouble(), 2)),
                "%.2f".formatted(1000 * Math.pow(random.nextDouble(), 2)),
                random.nextInt(1000),
                "%.1f".formatted(5 * random.nextDouble()),
                millis,
                random.nextInt(10) < 3,
                "{\"color\": \"c%d\", \"size\": %d}".formatted(random.nextInt(50), random.nextInt(100)));
    }

    /** The values as texts, in the order of {@link RecordsData#COLUMNS}. */
    List<String> texts() {
        return List.of(
                title,
                sku,
                status,
                city,
                price,
                String.valueOf(quantity),
                rating,
                Instant.ofEpochMilli(soldAtMillis).toString(),
                String.valueOf(active),
                extra);
    }
}
