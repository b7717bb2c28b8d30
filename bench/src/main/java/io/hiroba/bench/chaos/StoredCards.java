package io.hiroba.bench.chaos;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** Reads the stored cards. */
final class StoredCards {

    /**
     * A stored card.
     *
     * @param acts the actions in {@code activity.card_acts}
     */
    record Stored(String payload, SortedSet<CardAction> acts) {}

    private StoredCards() {}

    static SortedMap<CardIdentity, Stored> read(Handle handle) {
        var acts = acts(handle);
        var cards = new TreeMap<CardIdentity, Stored>();
        handle.createQuery("SELECT user_id, slot, term, payload::text AS payload FROM activity.notifications")
                .map((row, ctx) -> {
                    var key = new CardIdentity(row.getLong("user_id"), row.getString("slot"), row.getString("term"));
                    var own = acts.getOrDefault(key, Collections.emptySortedSet());
                    return cards.put(key, new Stored(row.getString("payload"), own)) == null;
                })
                .list();
        return cards;
    }

    private static SortedMap<CardIdentity, SortedSet<CardAction>> acts(Handle handle) {
        var acts = new TreeMap<CardIdentity, SortedSet<CardAction>>();
        handle.createQuery("SELECT user_id, slot, term, actor_id, post_id, ts FROM activity.card_acts")
                .map((row, ctx) -> {
                    var key = new CardIdentity(row.getLong("user_id"), row.getString("slot"), row.getString("term"));
                    return acts.computeIfAbsent(key, absent -> new TreeSet<>())
                            .add(new CardAction(row.getLong("actor_id"), row.getLong("post_id"), row.getLong("ts")));
                })
                .list();
        return acts;
    }
}
