package io.hiroba.records.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question to the records of a schema.
 *
 * @param where null for all records
 * @param sort empty for the order in which they were made
 * @param select the attributes to show; null for all, and one of a referred record is {@code reference.attribute}
 * @param after where the page before ended
 */
public record Query(
        String schema,
        @Nullable Condition where,
        List<Sort> sort,
        @Nullable List<String> select,
        int limit,
        @Nullable String after,
        Count count) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 100;

    public Query {
        sort = List.copyOf(sort);
        select = select == null ? null : List.copyOf(select);
    }

    /** How much is to be known of the number of records. */
    public enum Count {
        NONE,
        ESTIMATE,
        EXACT
    }

    /** The first page of all records. */
    public static Query all(String schema) {
        return new Query(schema, null, List.of(), null, DEFAULT_LIMIT, null, Count.NONE);
    }

    public Query where(@Nullable Condition condition) {
        return new Query(schema, condition, sort, select, limit, after, count);
    }

    public Query sortedBy(Sort... keys) {
        return new Query(schema, where, List.of(keys), select, limit, after, count);
    }

    public Query selecting(@Nullable List<String> attributes) {
        return new Query(schema, where, sort, attributes, limit, after, count);
    }

    public Query limit(int most) {
        return new Query(schema, where, sort, select, most, after, count);
    }

    public Query after(@Nullable String cursor) {
        return new Query(schema, where, sort, select, limit, cursor, count);
    }

    public Query counting(Count how) {
        return new Query(schema, where, sort, select, limit, after, how);
    }
}
