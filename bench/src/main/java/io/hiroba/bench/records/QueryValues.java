package io.hiroba.bench.records;

import java.util.SplittableRandom;

/** The values of one query, derived from its number, so that all contestants run the same queries. */
record QueryValues(double low, double high, int quantity, String sku, String prefix, String city, long item) {

    static final String STATUS = "active";

    static QueryValues of(long number, long rows) {
        var random = new SplittableRandom(number * 0x9E3779B97F4A7C15L);
        double low = Math.floor(random.nextDouble() * 800);
        long item = random.nextLong(rows) + 1;
        return new QueryValues(
                low,
                low + 100,
                random.nextInt(1000),
                SampleRecord.sku(item),
                SampleRecord.ADJECTIVES.get(random.nextInt(16)) + " " + SampleRecord.NOUNS.get(random.nextInt(16)),
                "city " + (int) (200 * Math.pow(random.nextDouble(), 2)),
                item);
    }

    /** The upper bound of all texts with the prefix. */
    String prefixEnd() {
        return prefix + Character.toString(Character.MAX_CODE_POINT);
    }
}
