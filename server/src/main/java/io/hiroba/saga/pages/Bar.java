package io.hiroba.saga.pages;

/**
 * What happened during a part of the time.
 *
 * @param x where it begins, as a part of the axis
 * @param title what it is, for those who point at it and for those who do not see it
 */
public record Bar(String x, String width, Kind kind, String title) {

    /** What is drawn differently; the word is the name of its style. */
    public enum Kind {
        DONE("done"),
        FAILED("failed"),
        SKIPPED("skipped"),
        WAITING("waiting"),
        UNDER_WAY("under-way");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    static Bar of(TimeScale.Place place, Kind kind, String title) {
        return new Bar(place.x(), place.width(), kind, title);
    }
}
