package io.hiroba.records.query;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A total order of records: by the keys, then by id.
 *
 * @param descending the order of the ids
 */
record SortOrder(List<Key> keys, boolean descending) {

    private static final int MAX_KEYS = 4;

    SortOrder {
        keys = List.copyOf(keys);
    }

    /** @param nullsFirst whether records without the attribute come first */
    record Key(SchemaAttribute attribute, boolean descending, boolean nullsFirst) {}

    static SortOrder of(ReadableSchema view, List<RecordSort> sorts) {
        if (sorts.size() > MAX_KEYS) {
            throw RecordsProblem.invalid("sort", Text.of("records.query.sort-count"));
        }
        var keys = new ArrayList<Key>();
        for (var sort : sorts) {
            var attribute = view.find(sort.attribute());
            if (attribute.isEmpty() && sort.attribute().equals(RecordSort.CREATED)) {
                // Ids are unique and ordered by creation: no further key matters.
                return new SortOrder(keys, sort.descending());
            }
            var sorted = view.require("sort", sort.attribute());
            if (!sorted.type().isOrdered()) {
                throw RecordsProblem.invalid("sort", Text.of("records.query.sort-json", "attribute", sorted.name()));
            }
            keys.add(new Key(sorted, sort.descending(), sort.nullsFirst()));
        }
        return new SortOrder(keys, !keys.isEmpty() && keys.getFirst().descending());
    }

    @Nullable
    Key first() {
        return keys.isEmpty() ? null : keys.getFirst();
    }

    /** The order among records with an equal first key. */
    SortOrder rest() {
        return new SortOrder(keys.subList(1, keys.size()), descending);
    }

    /** Identifies the order, so that a cursor of another order is refused. */
    String signature() {
        var each = new StringJoiner(",", "", descending ? "-" : "+");
        for (var key : keys) {
            each.add(key.attribute().id() + (key.descending() ? "d" : "a") + (key.nullsFirst() ? "f" : "l"));
        }
        return each.toString();
    }
}
