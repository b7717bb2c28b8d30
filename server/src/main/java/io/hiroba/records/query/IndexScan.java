package io.hiroba.records.query;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.tuning.HotIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scan that a query reads its candidates from, before it tests them. */
sealed interface IndexScan {

    /** Whether records come in the query's order, so that the scan ends with the page. */
    default boolean isOrdered() {
        return this instanceof ByHotIndex scan ? scan.ordered() : this.isOrderedByValue();
    }

    /** Whether that order is the one of the typed values' index. */
    default boolean isOrderedByValue() {
        return this instanceof ByValue scan && scan.ordered();
    }

    /** All of the schema's records by their ids. */
    record ById() implements IndexScan {}

    /**
     * Along the index of one attribute's values.
     *
     * @param bounds tests of that attribute, which the scan keeps within
     * @param ordered whether the scan follows the query's order; otherwise what it finds is sorted
     */
    record ByValue(SchemaAttribute attribute, List<Predicate.Leaf> bounds, boolean ordered) implements IndexScan {
        public ByValue {
            bounds = List.copyOf(bounds);
        }
    }

    /** A scan that finds what any of several scans finds. */
    record Union(List<Predicate.Leaf> leaves) implements IndexScan {
        public Union {
            leaves = List.copyOf(leaves);
        }
    }

    /** From the records that are referred to, back along the references. */
    record ByReference(Predicate.Through through, Predicate.Leaf leaf) implements IndexScan {}

    /**
     * Along an index of the documents themselves.
     *
     * @param equal the test of the index's first attribute, where it has two
     * @param bounds tests of the attribute that it is ordered by
     * @param ordered whether that is the query's order; otherwise what it finds is sorted
     */
    record ByHotIndex(HotIndex index, Predicate.@Nullable Leaf equal, List<Predicate.Leaf> bounds, boolean ordered)
            implements IndexScan {
        public ByHotIndex {
            bounds = List.copyOf(bounds);
        }
    }
}
