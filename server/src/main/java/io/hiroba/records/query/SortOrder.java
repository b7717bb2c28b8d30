package io.hiroba.records.query;

import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A total order of records: by the keys, and then by their ids, so that no two are the same.
 *
 * @param descending how the ids go
 */
record SortOrder(List<Key> keys, boolean descending) {

    private static final int MAX_KEYS = 4;

    SortOrder {
        keys = List.copyOf(keys);
    }

    /** @param nullsFirst whether records without the attribute come before all others, or after them */
    record Key(SchemaAttribute attribute, boolean descending, boolean nullsFirst) {}

    static SortOrder of(ReadableSchema view, List<RecordSort> sorts) {
        if (sorts.size() > MAX_KEYS) {
            throw RecordsProblem.invalid("sort", "must have at most 4 keys");
        }
        var keys = new ArrayList<Key>();
        for (var sort : sorts) {
            var attribute = view.find(sort.attribute());
            if (attribute.isEmpty() && sort.attribute().equals(RecordSort.CREATED)) {
                // Ids differ and tell the time: nothing after them matters.
                return new SortOrder(keys, sort.descending());
            }
            var sorted = view.require("sort", sort.attribute());
            if (sorted.type() == ValueType.JSONB) {
                throw RecordsProblem.invalid(
                        "sort", "names `%s`, which is jsonb and has no order".formatted(sorted.name()));
            }
            keys.add(new Key(sorted, sort.descending(), sort.nullsFirst()));
        }
        return new SortOrder(keys, !keys.isEmpty() && keys.getFirst().descending());
    }

    @Nullable
    Key first() {
        return keys.isEmpty() ? null : keys.getFirst();
    }

    /** The order of those that agree on the first key. */
    SortOrder rest() {
        return new SortOrder(keys.subList(1, keys.size()), descending);
    }

    /** Tells orders apart, so that no cursor is taken for one of another order. */
    String signature() {
        var each = new StringJoiner(",", "", descending ? "-" : "+");
        for (var key : keys) {
            each.add(key.attribute().id() + (key.descending() ? "d" : "a") + (key.nullsFirst() ? "f" : "l"));
        }
        return each.toString();
    }
}
