package io.hiroba.records.query;

import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.tuning.SchemaStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Estimates the share of a schema's records that passes a predicate, by the statistics. */
final class Selectivity {

    private static final double CONTAINING = 0.05;
    private static final double REFERRING = 0.05;
    /** The assumed share of records that one user created, which is not counted. */
    static final double OWN = 0.05;

    /** The assumed share of records within a bound of a time that is not sampled. */
    private static final double RANGE = 0.3;

    private final SchemaStatistics statistics;

    Selectivity(SchemaStatistics statistics) {
        this.statistics = statistics;
    }

    double of(Predicate predicate) {
        return switch (predicate) {
            case Predicate.All all -> {
                double share = 1;
                var leaves = new LinkedHashMap<SchemaAttribute, List<Predicate.Leaf>>();
                for (var part : all.conjuncts()) {
                    if (part instanceof Predicate.Leaf leaf) {
                        leaves.computeIfAbsent(leaf.attribute(), any -> new ArrayList<>())
                                .add(leaf);
                    } else {
                        share *= of(part);
                    }
                }
                for (var each : leaves.entrySet()) {
                    share *= of(each.getKey(), each.getValue());
                }
                yield share;
            }
            case Predicate.Any(var parts) -> {
                double others = 1;
                for (var part : parts) {
                    others *= 1 - of(part);
                }
                yield 1 - others;
            }
            case Predicate.Not(var part) -> 1 - of(part);
            case Predicate.Leaf leaf -> leaf(leaf);
            case Predicate.Through through -> REFERRING;
            case Predicate.MadeBy user -> OWN;
            case Predicate.Identified identified ->
                identified.operator() == Operator.IN
                        ? Math.min(1, identified.ids().size() / Math.max(1, statistics.rows()))
                        : RANGE;
            case Predicate.Changed changed -> RANGE;
        };
    }

    /**
     * The selectivity of {@code leaves}, which all test {@code attribute}: a lower and an upper bound are one range.
     */
    double of(SchemaAttribute attribute, List<Predicate.Leaf> leaves) {
        if (leaves.isEmpty()) {
            return statistics.attribute(attribute).present();
        }
        JsonNode low = null;
        JsonNode high = null;
        double others = 1;
        for (var leaf : leaves) {
            others = Math.min(others, of(leaf));
            switch (leaf.operator()) {
                case GT, GTE -> low = leaf.value();
                case LT, LTE -> high = leaf.value();
                default -> {}
            }
        }
        return Math.min(others, low == null && high == null ? 1 : between(attribute, low, high));
    }

    private double leaf(Predicate.Leaf leaf) {
        var attribute = leaf.attribute();
        var known = statistics.attribute(attribute);
        return switch (leaf.operator()) {
            case EQ -> known.equal(leaf.value());
            case IN ->
                Math.min(1, leaf.values().stream().mapToDouble(known::equal).sum());
            case GT, GTE -> between(attribute, leaf.value(), null);
            case LT, LTE -> between(attribute, null, leaf.value());
            case BETWEEN ->
                between(attribute, leaf.values().get(0), leaf.values().get(1));
            case STARTS_WITH -> known.startsWith(leaf.value().stringValue());
            case CONTAINS -> known.present() * CONTAINING;
            case EXISTS -> known.present();
            case NE, NOT_IN, NOT_CONTAINS, WITHIN, MISSING, HAS_ALL ->
                throw new IllegalArgumentException("said by Not: " + leaf.operator());
        };
    }

    private double between(SchemaAttribute attribute, @Nullable JsonNode low, @Nullable JsonNode high) {
        return statistics.attribute(attribute).between(low, high);
    }
}
