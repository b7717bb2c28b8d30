package io.hiroba.platform.db;

/**
 * The SQL of lists in the order of names that people read (ADR 52): first by base letters, then by all that tells two names apart,
 * then by id. An index on the three serves the order, a position in it, and the names that begin with a prefix.
 */
public final class NameOrder {

    /** Appended to a prefix, it sorts after every name with that prefix: ICU gives it the highest weight. */
    public static final String LAST = "\uFFFF";

    private NameOrder() {}

    /** The columns to order by. */
    public static String by(String name, String id) {
        return "%1$s COLLATE platform.base_letters, %1$s COLLATE platform.names, %2$s".formatted(name, id);
    }

    /** The names whose base letters begin with those of {@code :prefix}; {@code :last} is {@link #LAST}. */
    public static String begins(String name) {
        return "%1$s COLLATE platform.base_letters >= :prefix AND %1$s COLLATE platform.base_letters < (:prefix || :last)"
                .formatted(name);
    }

    /**
     * The names after {@code :after} and {@code :afterId}, or from {@code :prefix} on where that comes later: of two lower bounds
     * a scan begins at this one, so it must be the higher.
     *
     * @param place stands behind the names of both parameters of the position
     */
    public static String after(String name, String id, String place) {
        return """
                (%1$s) > (GREATEST(CAST(:prefix AS text) COLLATE platform.base_letters, CAST(:after%2$s AS text)),
                      CASE WHEN CAST(:after%2$s AS text) COLLATE platform.base_letters >= :prefix
                           THEN CAST(:after%2$s AS text) ELSE '' END,
                      :afterId%2$s)""".formatted(by(name, id), place);
    }
}
