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
 * A comparison of all cards with the source tables.
 *
 * @param cards the number of expected cards
 * @param large the number of those with more actions than they show
 */
record CardComparison(int cards, int large, List<Difference> differences) {

    /** A card that differs from the expected one. */
    record Difference(CardIdentity card, String what) {

        @Override
        public String toString() {
            return card + "\n" + what.indent(4);
        }
    }

    static CardComparison of(Handle handle, ZoneId serverZone) {
        var wanted = new ExpectedCards(serverZone).read(handle);
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
        long large = wanted.values().stream().filter(CardComparison::isLarge).count();
        return new CardComparison(wanted.size(), (int) large, differences);
    }

    private static Optional<String> difference(
            CardIdentity key, SortedSet<CardAction> wanted, Optional<Stored> stored) {
        if (stored.isEmpty()) {
            return Optional.of("is not there; wanted " + ExpectedCards.payload(key, wanted));
        }
        var found = stored.get();
        if (wanted.isEmpty()) {
            return Optional.of("must not be there, but is: " + found.payload());
        }
        var what = new ArrayList<String>();
        var payload = ExpectedCards.payload(key, wanted);
        if (!payload.equals(found.payload())) {
            what.add("wanted " + payload);
            what.add("found  " + found.payload());
        }
        SortedSet<CardAction> rows = isLarge(wanted) ? wanted : Collections.emptySortedSet();
        if (!rows.equals(found.acts())) {
            without(rows, found.acts())
                    .forEach(performRandomAction -> what.add("act without a row: " + performRandomAction));
            without(found.acts(), rows)
                    .forEach(performRandomAction -> what.add("row without an act: " + performRandomAction));
        }
        return what.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", what));
    }

    private static boolean isLarge(SortedSet<CardAction> acts) {
        return acts.size() > ExpectedCards.MAX_SHOWN;
    }

    private static SortedSet<CardAction> without(SortedSet<CardAction> acts, SortedSet<CardAction> others) {
        var rest = new TreeSet<>(acts);
        rest.removeAll(others);
        return rest;
    }
}
