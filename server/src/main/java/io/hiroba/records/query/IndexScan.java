package io.hiroba.records.query;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.tuning.HotIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scan that a query reads its candidates from, before it filters them. */
sealed interface IndexScan {

    /** Whether the scan has the query's order, so that it can stop when the page is full. */
    default boolean isOrdered() {
        return this instanceof ByHotIndex scan ? scan.ordered() : this.isOrderedByValue();
    }

    /** Whether that is the order of the index on typed values. */
    default boolean isOrderedByValue() {
        return this instanceof ByValue scan && scan.ordered();
    }

    /** A scan of all records of the schema by id. */
    record ById() implements IndexScan {}

    /**
     * A scan of the index on one attribute's values.
     *
     * @param bounds the predicates of that attribute that bound the scan
     * @param ordered whether the scan has the query's order; otherwise the result is sorted
     * @param among a predicate of another attribute: its records are read from its index first, and no others are looked up
     */
    record ByValue(
            SchemaAttribute attribute, List<Predicate.Leaf> bounds, boolean ordered, Predicate.@Nullable Leaf among)
            implements IndexScan {
        public ByValue {
            bounds = List.copyOf(bounds);
        }

        ByValue(SchemaAttribute attribute, List<Predicate.Leaf> bounds, boolean ordered) {
            this(attribute, bounds, ordered, null);
        }
    }

    /** A union of scans. */
    record Union(List<Predicate.Leaf> leaves) implements IndexScan {
        public Union {
            leaves = List.copyOf(leaves);
        }
    }

    /** A scan from the referenced records back along the references. */
    record ByReference(Predicate.Through through, Predicate.Leaf leaf) implements IndexScan {}

    /**
     * A scan of a hot index.
     *
     * @param equal the predicate of the index's equality attribute, if it has one
     * @param bounds the predicates of its order attribute
     * @param ordered whether that is the query's order; otherwise the result is sorted
     */
    record ByHotIndex(HotIndex index, Predicate.@Nullable Leaf equal, List<Predicate.Leaf> bounds, boolean ordered)
            implements IndexScan {
        public ByHotIndex {
            bounds = List.copyOf(bounds);
        }
    }
}
