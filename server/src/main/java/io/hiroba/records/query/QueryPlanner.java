package io.hiroba.records.query;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.hiroba.records.tuning.HotIndex;
import io.hiroba.records.tuning.SchemaStatistics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the index scan of a query: the one that reads the fewest records, by the statistics.
 *
 * <p>A scan in the query's order stops as soon as the page is full, so it reads as many records as contain that many
 * matches; any other scan reads everything within its bounds and sorts the matches.
 */
final class QueryPlanner {

    /** The cost of reading a record, relative to a scan by id. */
    private static final double BY_INDEX = 1.3;

    private static final double BY_HOT_INDEX = 0.7;
    private static final double SORTED = 0.3;

    /** The cost of an index entry that no record is looked up for, and of one that is put into a hash table. */
    private static final double ENTRY = 0.1;

    private static final double HASHED = 0.2;

    /** As many ids as surely fit into the memory of a hash table. */
    private static final int MAX_HASHED = 50_000;

    private final double rows;
    private final boolean informed;
    private final Selectivity selectivity;

    QueryPlanner(SchemaStatistics statistics) {
        this.rows = Math.max(1, statistics.rows());
        this.informed = statistics.known();
        this.selectivity = new Selectivity(statistics);
    }

    private record Candidate(IndexScan scan, double cost) {}

    /** The number of records, as far as it is known. */
    double rows() {
        return rows;
    }

    /** Whether the schema was sampled, so that estimates are no guesses. */
    boolean isInformed() {
        return informed;
    }

    /** The estimated number of matching records. */
    double passing(Predicate predicate) {
        return rows * selectivity.of(predicate);
    }

    /** The scan for the first {@code limit} records in {@code order}. */
    IndexScan forPage(Predicate predicate, SortOrder order, int limit, List<HotIndex> hot) {
        var candidates = new ArrayList<Candidate>();
        double passing = Math.max(1 / rows, selectivity.of(predicate));
        double mine = mine(predicate);
        candidates.add(new Candidate(
                new IndexScan.ById(),
                order.keys().isEmpty() ? lookedAt(mine, passing, limit) : rows * mine * (1 + SORTED)));
        var first = order.first();
        if (first != null) {
            var bounds = bounds(predicate, first.attribute());
            double share = selectivity.of(first.attribute(), bounds);
            addByValue(
                    candidates,
                    predicate,
                    new IndexScan.ByValue(first.attribute(), bounds, true),
                    lookedAt(share, passing, limit));
        }
        for (var index : hot) {
            addHot(candidates, index, predicate, order, passing, limit);
        }
        addDriven(candidates, predicate, order, passing, limit);
        return best(candidates);
    }

    /** The share of records in a scan by id: those that the caller created have their own index. */
    private static double mine(Predicate predicate) {
        for (var conjunct : predicate.conjuncts()) {
            if (conjunct instanceof Predicate.MadeBy) {
                return Selectivity.OWN;
            }
        }
        return 1;
    }

    /** The scan for all matching records, in any order. */
    IndexScan forAll(Predicate predicate) {
        var candidates = new ArrayList<Candidate>();
        candidates.add(new Candidate(new IndexScan.ById(), rows * mine(predicate)));
        addDriven(candidates, predicate, new SortOrder(List.of(), false), 1, Integer.MAX_VALUE);
        return best(candidates);
    }

    /** The scan of one attribute's values that tells by itself which records match, if there is one. */
    Optional<IndexScan.ByValue> covering(Predicate predicate) {
        SchemaAttribute attribute = null;
        var bounds = new ArrayList<Predicate.Leaf>();
        if (predicate.conjuncts().size() > 1 && isAboutLists(predicate)) {
            return Optional.empty();
        }
        for (var conjunct : predicate.conjuncts()) {
            if (!(conjunct instanceof Predicate.Leaf leaf)
                    || leaf.attribute().type() == ValueType.JSONB
                    || (attribute != null && !attribute.equals(leaf.attribute()))) {
                return Optional.empty();
            }
            attribute = leaf.attribute();
            // Only a record that has the value has an entry.
            if (leaf.operator() != Operator.EXISTS || attribute.isList()) {
                if (!IndexPredicateSql.bounds(leaf) || !IndexPredicateSql.isExact(leaf)) {
                    return Optional.empty();
                }
                bounds.add(leaf);
            }
        }
        return attribute == null ? Optional.empty() : Optional.of(new IndexScan.ByValue(attribute, bounds, false));
    }

    /** A record has an entry for each option of a list: two conditions are not met by one entry. */
    private static boolean isAboutLists(Predicate predicate) {
        return predicate.conjuncts().stream()
                .anyMatch(part ->
                        part instanceof Predicate.Leaf leaf && leaf.attribute().isList());
    }

    private static IndexScan best(List<Candidate> candidates) {
        return Collections.min(candidates, Comparator.comparingDouble(Candidate::cost))
                .scan();
    }

    /** The number of records that a scan over {@code share} of them reads until the page is full. */
    private double lookedAt(double share, double passing, int limit) {
        return Math.min(rows * share, limit * share / passing);
    }

    /** The scan, and the same among the records of each other selective condition. */
    private void addByValue(List<Candidate> candidates, Predicate predicate, IndexScan.ByValue scan, double lookedAt) {
        candidates.add(new Candidate(scan, lookedAt * BY_INDEX));
        for (var conjunct : predicate.conjuncts()) {
            if (informed
                    && conjunct instanceof Predicate.Leaf leaf
                    && leaf.operator() == Operator.EQ
                    && IndexPredicateSql.bounds(leaf)
                    && !leaf.attribute().equals(scan.attribute())) {
                double share = selectivity.of(leaf);
                if (rows * share <= MAX_HASHED) {
                    candidates.add(new Candidate(
                            new IndexScan.ByValue(scan.attribute(), scan.bounds(), scan.ordered(), leaf),
                            lookedAt * (ENTRY + share * BY_INDEX) + rows * share * HASHED));
                }
            }
        }
    }

    private void addDriven(
            List<Candidate> candidates, Predicate predicate, SortOrder order, double passing, int limit) {
        for (var conjunct : predicate.conjuncts()) {
            switch (conjunct) {
                case Predicate.Leaf leaf
                when IndexPredicateSql.bounds(leaf) -> {
                    var bounds = leaf.attribute().isList() ? List.of(leaf) : bounds(predicate, leaf.attribute());
                    double share = selectivity.of(leaf.attribute(), bounds);
                    boolean ordered = isById(order, bounds);
                    double lookedAt = ordered ? lookedAt(share, passing, limit) : rows * share * (1 + SORTED);
                    addByValue(
                            candidates, predicate, new IndexScan.ByValue(leaf.attribute(), bounds, ordered), lookedAt);
                }
                case Predicate.Any(var parts)
                when isBounded(parts) -> {
                    var leaves = parts.stream().map(Predicate.Leaf.class::cast).toList();
                    double share = leaves.stream().mapToDouble(selectivity::of).sum();
                    candidates.add(new Candidate(new IndexScan.Union(leaves), rows * share * 2 * BY_INDEX));
                }
                case Predicate.Through through -> {
                    for (var part : through.part().conjuncts()) {
                        if (part instanceof Predicate.Leaf leaf && IndexPredicateSql.bounds(leaf)) {
                            candidates.add(new Candidate(
                                    new IndexScan.ByReference(through, leaf),
                                    rows * selectivity.of(through) * 2 * BY_INDEX));
                        }
                    }
                }
                default -> {}
            }
        }
    }

    private void addHot(
            List<Candidate> candidates,
            HotIndex index,
            Predicate predicate,
            SortOrder order,
            double passing,
            int limit) {
        var bounds = bounds(predicate, index.order());
        double share = selectivity.of(index.order(), bounds);
        Predicate.Leaf equal = null;
        var equality = index.equality();
        if (equality != null) {
            equal = bounds(predicate, equality).stream()
                    .filter(leaf -> leaf.operator() == Operator.EQ)
                    .findFirst()
                    .orElse(null);
            if (equal == null) {
                return;
            }
            share *= selectivity.of(equal);
        }
        var first = order.first();
        boolean ordered = first == null
                ? isById(order, bounds)
                : order.keys().size() == 1 && first.attribute().equals(index.order());
        if (ordered || !bounds.isEmpty()) {
            double lookedAt = ordered ? lookedAt(share, passing, limit) : rows * share * (1 + SORTED);
            candidates.add(
                    new Candidate(new IndexScan.ByHotIndex(index, equal, bounds, ordered), lookedAt * BY_HOT_INDEX));
        }
    }

    /** Whether an index within these bounds is ordered by id: among equal values it is. */
    private static boolean isById(SortOrder order, List<Predicate.Leaf> bounds) {
        return order.keys().isEmpty() && bounds.stream().anyMatch(bound -> bound.operator() == Operator.EQ);
    }

    private static List<Predicate.Leaf> bounds(Predicate predicate, SchemaAttribute attribute) {
        var bounds = new ArrayList<Predicate.Leaf>();
        for (var conjunct : predicate.conjuncts()) {
            if (conjunct instanceof Predicate.Leaf leaf
                    && leaf.attribute().equals(attribute)
                    && IndexPredicateSql.bounds(leaf)) {
                bounds.add(leaf);
            }
        }
        return bounds;
    }

    private static boolean isBounded(List<Predicate> parts) {
        return parts.stream()
                .allMatch(part -> part instanceof Predicate.Leaf leaf
                        && leaf.attribute().type() != ValueType.JSONB
                        && IndexPredicateSql.bounds(leaf));
    }
}
