package io.hiroba.bench.records;

import java.util.SplittableRandom;

/** The values of one question; which ones follows from its number, so that all contestants are asked the same. */
record Ask(double low, double high, int quantity, String sku, String beginning, String city, long item) {

    static final String STATUS = "active";

    static Ask of(long number, long rows) {
        var random = new SplittableRandom(number * 0x9E3779B97F4A7C15L);
        double low = Math.floor(random.nextDouble() * 800);
        long item = random.nextLong(rows) + 1;
        return new Ask(
                low,
                low + 100,
                random.nextInt(1000),
                Item.sku(item),
                Item.ADJECTIVES.get(random.nextInt(16)) + " " + Item.NOUNS.get(random.nextInt(16)),
                "city " + (int) (200 * Math.pow(random.nextDouble(), 2)),
                item);
    }

    /** What comes right after all texts with the beginning. */
    String end() {
        return beginning + Character.toString(Character.MAX_CODE_POINT);
    }
}
