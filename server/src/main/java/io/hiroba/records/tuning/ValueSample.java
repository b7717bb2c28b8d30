package io.hiroba.records.tuning;

import io.hiroba.records.Documents;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sample of a schema's records, from which statistics are estimated. */
final class ValueSample {

    private static final int MAX_COMMON = 100;
    private static final int MAX_BOUNDS = 201;

    private final List<SchemaAttribute> attributes;
    private final List<Map<HistogramKey, Integer>> counts = new ArrayList<>();
    private final int[] present;
    private int size;

    ValueSample(List<SchemaAttribute> attributes) {
        this.attributes = attributes;
        this.present = new int[attributes.size()];
        attributes.forEach(attribute -> counts.add(new HashMap<>()));
    }

    /** Adds a record; {@code values} are in the text form of {@code doc ->> place}, in the order of the attributes. */
    void add(@Nullable String[] values) {
        size++;
        for (int i = 0; i < attributes.size(); i++) {
            var value = values[i];
            if (value != null) {
                present[i]++;
                if (attributes.get(i).isList()) {
                    for (var each : Documents.read(value)) {
                        count(i, each.stringValue());
                    }
                } else {
                    count(i, value);
                }
            }
        }
    }

    private void count(int attribute, String value) {
        var key = HistogramKey.written(attributes.get(attribute).type(), value);
        if (key != null) {
            counts.get(attribute).merge(key, 1, Integer::sum);
        }
    }

    int size() {
        return size;
    }

    /** @param rows the number of records of the schema */
    SchemaStatistics of(double rows) {
        var all = new HashMap<Short, AttributeStatistics>();
        for (int i = 0; i < attributes.size(); i++) {
            all.put(attributes.get(i).id(), statistics(attributes.get(i).type(), present[i], counts.get(i), rows));
        }
        return new SchemaStatistics(rows, all);
    }

    private AttributeStatistics statistics(ValueType type, int found, Map<HistogramKey, Integer> values, double rows) {
        double all = Math.max(1, size);
        // A value is common if it occurs more often than the average, and more than once.
        double average = (double) found / Math.max(1, values.size());
        boolean few = values.size() <= MAX_COMMON
                && (size >= rows || values.values().stream().allMatch(n -> n > 1));
        var common = new HashMap<HistogramKey, Double>();
        values.entrySet().stream()
                .filter(entry -> few || (entry.getValue() > 1 && entry.getValue() > average * 1.25))
                .sorted(Map.Entry.<HistogramKey, Integer>comparingByValue().reversed())
                .limit(MAX_COMMON)
                .forEach(entry -> common.put(entry.getKey(), entry.getValue() / all));
        var others = values.entrySet().stream()
                .filter(entry -> !common.containsKey(entry.getKey()))
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .toList();
        double distinct = distinct(values, found, rows * found / all);
        return new AttributeStatistics(
                type, found / all, common, Math.max(0, distinct - common.size()), bounds(others));
    }

    /**
     * Estimates the number of distinct values with the estimator of Haas and Stokes, as PostgreSQL does: values that
     * occur once in the sample indicate others that do not occur in it.
     */
    private static double distinct(Map<HistogramKey, Integer> values, int found, double total) {
        if (found == 0) {
            return 0;
        }
        double once = values.values().stream().filter(n -> n == 1).count();
        double met = values.size();
        double guess = found * met / (found - once + once * found / Math.max(found, total));
        return Math.clamp(guess, met, Math.max(met, total));
    }

    /** Evenly spaced values, including the first and the last. */
    private static List<HistogramKey> bounds(List<Map.Entry<HistogramKey, Integer>> ordered) {
        long total = ordered.stream().mapToLong(Map.Entry::getValue).sum();
        var bounds = new ArrayList<HistogramKey>();
        if (total == 0) {
            return bounds;
        }
        int most = (int) Math.min(MAX_BOUNDS, total);
        long passed = 0;
        int next = 0;
        for (var entry : ordered) {
            passed += entry.getValue();
            while (next < most && (most == 1 || next * (total - 1) / (most - 1) < passed)) {
                bounds.add(entry.getKey());
                next++;
            }
        }
        return bounds;
    }
}
