package io.hiroba.records.tuning;

import io.hiroba.records.ValueType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The statistics of one attribute: null fraction, common values and a histogram. Results are fractions of all records.
 */
public final class AttributeStatistics {

    private static final double EQUAL = 0.005;
    private static final double OPEN_RANGE = 1.0 / 3;
    private static final double RANGE = 0.05;
    private static final double BEGINNING = 0.01;

    private final ValueType type;
    private final boolean known;
    private final double present;
    private final Map<HistogramKey, Double> common;
    private final double ofCommon;
    /** The number of distinct values besides the common ones. */
    private final double others;
    /** The bounds of an equi-depth histogram of the other values. */
    private final List<HistogramKey> bounds;

    AttributeStatistics(
            ValueType type,
            double present,
            Map<HistogramKey, Double> common,
            double others,
            List<HistogramKey> bounds) {
        this(type, true, present, common, others, bounds);
    }

    private AttributeStatistics(
            ValueType type,
            boolean known,
            double present,
            Map<HistogramKey, Double> common,
            double others,
            List<HistogramKey> bounds) {
        this.type = type;
        this.known = known;
        this.present = present;
        this.common = Map.copyOf(common);
        this.ofCommon =
                common.values().stream().mapToDouble(Double::doubleValue).sum();
        this.others = others;
        this.bounds = List.copyOf(bounds);
    }

    /** The statistics of an attribute that was not sampled. */
    static AttributeStatistics unknown(ValueType type) {
        return new AttributeStatistics(type, false, 1, Map.of(), 0, List.of());
    }

    /** The fraction of records with a value. */
    public double present() {
        return present;
    }

    /** The fraction of records with this value. */
    public double equal(JsonNode stored) {
        var key = HistogramKey.of(type, stored);
        if (!known || key == null) {
            return present * (type == ValueType.BOOL ? 0.5 : EQUAL);
        }
        var frequent = common.get(key);
        return frequent != null ? frequent : rest() / Math.max(1, others);
    }

    /** The fraction of records with a value from {@code low} to {@code high}, inclusive; null for no bound. */
    public double between(@Nullable JsonNode low, @Nullable JsonNode high) {
        return within(
                low == null ? null : HistogramKey.of(type, low), high == null ? null : HistogramKey.of(type, high));
    }

    /** The fraction of records whose text has this prefix. */
    public double startsWith(String beginning) {
        var low = HistogramKey.of(ValueType.TEXT, JsonNodeFactory.instance.stringNode(beginning));
        if (!known || low == null) {
            return present * BEGINNING;
        }
        return within(low, low.prefixEnd());
    }

    /** Up to {@code most} values as in documents, spread evenly over the records. */
    public List<JsonNode> examples(int most) {
        var keys = bounds.size() > 2 ? bounds : List.copyOf(common.keySet());
        double step = Math.max(1, (double) keys.size() / most);
        return Stream.iterate(step / 2, at -> at < keys.size(), at -> at + step)
                .map(at -> keys.get(at.intValue()).stored(type))
                .limit(most)
                .toList();
    }

    private double within(@Nullable HistogramKey low, @Nullable HistogramKey high) {
        if (low == null && high == null) {
            return present;
        }
        if (!known) {
            return present * (low == null || high == null ? OPEN_RANGE : RANGE);
        }
        double frequent = common.entrySet().stream()
                .filter(entry -> (low == null || entry.getKey().compareTo(low) >= 0)
                        && (high == null || entry.getKey().compareTo(high) <= 0))
                .mapToDouble(Map.Entry::getValue)
                .sum();
        double share = (high == null ? 1 : below(high)) - (low == null ? 0 : below(low));
        // A range inside one histogram bucket still contains as many records as a single value.
        double least = low != null && high != null && low.compareTo(high) <= 0 ? rest() / Math.max(1, others) : 0;
        return Math.clamp(frequent + Math.max(least, share * rest()), 0, present);
    }

    private double rest() {
        return Math.max(0, present - ofCommon);
    }

    /** The fraction of the values besides the common ones below {@code key}. */
    private double below(HistogramKey key) {
        int last = bounds.size() - 1;
        if (last < 1) {
            return last == 0 && bounds.getFirst().compareTo(key) < 0 ? 1 : 0;
        }
        int low = 0;
        int high = last + 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds.get(middle).compareTo(key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // The first bound that is not below the key has the index `low`.
        if (low == 0) {
            return 0;
        }
        return low > last ? 1 : (low - 1 + key.share(bounds.get(low - 1), bounds.get(low))) / last;
    }

    ValueType type() {
        return type;
    }

    Map<HistogramKey, Double> common() {
        return common;
    }

    double others() {
        return others;
    }

    List<HistogramKey> bounds() {
        return bounds;
    }
}
