package io.hiroba.records.query;

/**
 * One key of an order.
 *
 * @param attribute a name, or {@code createdAt} where no attribute is called that
 */
public record Sort(String attribute, boolean descending, boolean nullsFirst) {

    /** The order in which records were made. */
    static final String CREATED = "createdAt";

    /** As in {@code price} or {@code -price}. */
    static Sort of(String text) {
        return text.startsWith("-") ? new Sort(text.substring(1), true, false) : new Sort(text, false, false);
    }
}
