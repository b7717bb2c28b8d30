package io.hiroba.records.query;

/**
 * A sort key.
 *
 * @param attribute a name, or {@code createdAt} where no attribute is called that
 */
public record RecordSort(String attribute, boolean descending, boolean nullsFirst) {

    /** The order in which records were made. */
    static final String CREATED = "createdAt";

    /** As in {@code price} or {@code -price}. */
    static RecordSort of(String text) {
        return text.startsWith("-")
                ? new RecordSort(text.substring(1), true, false)
                : new RecordSort(text, false, false);
    }
}
