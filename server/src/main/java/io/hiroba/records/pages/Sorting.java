package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.query.RecordSort;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of records, and those to choose from.
 *
 * @param keys such as {@code price} and {@code -price}, the first one first
 */
record Sorting(List<String> keys, List<Filter.Choice> choices) {

    /** The most keys that records are sorted by. */
    static final int MAX_KEYS = 4;

    Sorting {
        keys = List.copyOf(keys);
        choices = List.copyOf(choices);
    }

    static Sorting of(List<RecordSort> keys, RecordAccess recordAccess, Reader reader) {
        var choices = new ArrayList<Filter.Choice>();
        for (var attribute : recordAccess.shown()) {
            if (attribute.type().isOrdered()) {
                add(choices, attribute.name(), attribute.label(), reader);
            }
        }
        if (recordAccess.attribute(RecordSort.CREATED).isEmpty()) {
            add(choices, RecordSort.CREATED, reader.text("records.sort-created"), reader);
        }
        return new Sorting(keys.stream().map(Sorting::key).toList(), choices);
    }

    private static void add(List<Filter.Choice> choices, String name, String label, Reader reader) {
        choices.add(new Filter.Choice(name, reader.text("records.sort-ascending", "attribute", label)));
        choices.add(new Filter.Choice("-" + name, reader.text("records.sort-descending", "attribute", label)));
    }

    static String key(RecordSort key) {
        return (key.descending() ? "-" : "") + key.attribute();
    }

    /** The key at a place; empty for none. */
    String key(int place) {
        return place < keys.size() ? keys.get(place) : "";
    }

    /** The keys in words. */
    List<String> texts() {
        return keys.stream()
                .flatMap(key -> choices.stream()
                        .filter(choice -> choice.value().equals(key))
                        .map(Filter.Choice::label))
                .toList();
    }
}
