package io.hiroba.bench.chaos;

import io.hiroba.bench.chaos.StoredCards.Stored;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/**
 * All cards, held against the source tables.
 *
 * @param cards how many there must be
 * @param large how many of them have more acts than they show
 */
record Comparison(int cards, int large, List<Difference> differences) {

    /** A card that is not what it must be. */
    record Difference(CardKey card, String what) {

        @Override
        public String toString() {
            return card + "\n" + what.indent(4);
        }
    }

    static Comparison of(Handle handle, ZoneId serverZone) {
        var wanted = new SourceCards(serverZone).read(handle);
        var stored = StoredCards.read(handle);
        var keys = new TreeSet<>(wanted.keySet());
        keys.addAll(stored.keySet());
        var differences = new ArrayList<Difference>();
        for (var key : keys) {
            difference(
                            key,
                            wanted.getOrDefault(key, Collections.emptySortedSet()),
                            Optional.ofNullable(stored.get(key)))
                    .ifPresent(what -> differences.add(new Difference(key, what)));
        }
        long large = wanted.values().stream().filter(Comparison::isLarge).count();
        return new Comparison(wanted.size(), (int) large, differences);
    }

    private static Optional<String> difference(CardKey key, SortedSet<Act> wanted, Optional<Stored> stored) {
        if (stored.isEmpty()) {
            return Optional.of("is not there; wanted " + SourceCards.payload(key, wanted));
        }
        var found = stored.get();
        if (wanted.isEmpty()) {
            return Optional.of("must not be there, but is: " + found.payload());
        }
        var what = new ArrayList<String>();
        var payload = SourceCards.payload(key, wanted);
        if (!payload.equals(found.payload())) {
            what.add("wanted " + payload);
            what.add("found  " + found.payload());
        }
        SortedSet<Act> rows = isLarge(wanted) ? wanted : Collections.emptySortedSet();
        if (!rows.equals(found.acts())) {
            without(rows, found.acts()).forEach(act -> what.add("act without a row: " + act));
            without(found.acts(), rows).forEach(act -> what.add("row without an act: " + act));
        }
        return what.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", what));
    }

    private static boolean isLarge(SortedSet<Act> acts) {
        return acts.size() > SourceCards.SHOWN;
    }

    private static SortedSet<Act> without(SortedSet<Act> acts, SortedSet<Act> others) {
        var rest = new TreeSet<>(acts);
        rest.removeAll(others);
        return rest;
    }
}
