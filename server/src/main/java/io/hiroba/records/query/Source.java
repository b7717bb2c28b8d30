package io.hiroba.records.query;

import io.hiroba.records.schema.Attribute;
import io.hiroba.records.tuning.HotIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a query gets its records from, before it tests and shows them. */
sealed interface Source {

    /** Whether records come in the query's order, so that the walk ends with the page. */
    default boolean isInOrder() {
        return this instanceof Hot hot ? hot.ordered() : this.isAlongValues();
    }

    /** Whether that order is the one of the typed values' index. */
    default boolean isAlongValues() {
        return this instanceof Along along && along.ordered();
    }

    /** All of the schema's records by their ids. */
    record ById() implements Source {}

    /**
     * Along the index of one attribute's values.
     *
     * @param bounds tests of that attribute, which the walk keeps within
     * @param ordered whether the walk follows the query's order; otherwise what it finds is sorted
     */
    record Along(Attribute attribute, List<Predicate.Leaf> bounds, boolean ordered) implements Source {
        public Along {
            bounds = List.copyOf(bounds);
        }
    }

    /** What any of several walks finds. */
    record Either(List<Predicate.Leaf> leaves) implements Source {
        public Either {
            leaves = List.copyOf(leaves);
        }
    }

    /** From the records that are referred to, back along the references. */
    record Back(Predicate.Through through, Predicate.Leaf leaf) implements Source {}

    /**
     * Along an index of the documents themselves.
     *
     * @param equal the test of the index's first attribute, where it has two
     * @param bounds tests of the attribute that it is ordered by
     * @param ordered whether that is the query's order; otherwise what it finds is sorted
     */
    record Hot(HotIndex index, Predicate.@Nullable Leaf equal, List<Predicate.Leaf> bounds, boolean ordered)
            implements Source {
        public Hot {
            bounds = List.copyOf(bounds);
        }
    }
}
