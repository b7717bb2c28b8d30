package io.hiroba.records.query;

import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query on the records of a schema.
 *
 * @param where null for all records
 * @param sort empty for the order of creation
 * @param select the attributes to return; null for all; {@code reference.attribute} for one of a referenced record
 * @param after the end of the previous page
 */
public record RecordQuery(
        String schema,
        @Nullable Condition where,
        List<RecordSort> sort,
        @Nullable List<String> select,
        int limit,
        @Nullable String after,
        Count count) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 100;

    public RecordQuery {
        sort = List.copyOf(sort);
        select = select == null ? null : List.copyOf(select);
    }

    /** The precision of the count. */
    public enum Count {
        NONE,
        ESTIMATE,
        EXACT
    }

    /** The first page of all records. */
    public static RecordQuery all(String schema) {
        return new RecordQuery(schema, null, List.of(), null, DEFAULT_LIMIT, null, Count.NONE);
    }

    public RecordQuery where(@Nullable Condition condition) {
        return new RecordQuery(schema, condition, sort, select, limit, after, count);
    }

    /** The same whose relative days are those of {@code zone}. */
    public RecordQuery in(ZoneId zone) {
        return where == null ? this : where(where.in(zone));
    }

    public RecordQuery sortedBy(RecordSort... keys) {
        return new RecordQuery(schema, where, List.of(keys), select, limit, after, count);
    }

    public RecordQuery selecting(@Nullable List<String> attributes) {
        return new RecordQuery(schema, where, sort, attributes, limit, after, count);
    }

    public RecordQuery limit(int most) {
        return new RecordQuery(schema, where, sort, select, most, after, count);
    }

    public RecordQuery after(@Nullable String cursor) {
        return new RecordQuery(schema, where, sort, select, limit, cursor, count);
    }

    public RecordQuery counting(Count how) {
        return new RecordQuery(schema, where, sort, select, limit, after, how);
    }
}
