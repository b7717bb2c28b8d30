package io.hiroba.records.query;

/**
 * A sort key.
 *
 * @param attribute a name, or {@code createdAt} unless an attribute has that name
 */
public record RecordSort(String attribute, boolean descending, boolean nullsFirst) {

    /** The order of creation. */
    public static final String CREATED = "createdAt";

    /** Parses {@code price} or {@code -price}. */
    static RecordSort of(String text) {
        return text.startsWith("-")
                ? new RecordSort(text.substring(1), true, false)
                : new RecordSort(text, false, false);
    }
}
