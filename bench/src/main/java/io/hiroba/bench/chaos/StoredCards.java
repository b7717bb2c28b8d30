package io.hiroba.bench.chaos;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** The cards as they stand in the database. */
final class StoredCards {

    /**
     * One of them.
     *
     * @param acts those in rows of their own
     */
    record Stored(String payload, SortedSet<Act> acts) {}

    private StoredCards() {}

    static SortedMap<CardKey, Stored> read(Handle handle) {
        var acts = acts(handle);
        var cards = new TreeMap<CardKey, Stored>();
        handle.createQuery("SELECT user_id, slot, term, payload::text AS payload FROM activity.notifications")
                .map((row, ctx) -> {
                    var key = new CardKey(row.getLong("user_id"), row.getString("slot"), row.getString("term"));
                    var own = acts.getOrDefault(key, Collections.emptySortedSet());
                    return cards.put(key, new Stored(row.getString("payload"), own)) == null;
                })
                .list();
        return cards;
    }

    private static SortedMap<CardKey, SortedSet<Act>> acts(Handle handle) {
        var acts = new TreeMap<CardKey, SortedSet<Act>>();
        handle.createQuery("SELECT user_id, slot, term, actor_id, post_id, ts FROM activity.card_acts")
                .map((row, ctx) -> {
                    var key = new CardKey(row.getLong("user_id"), row.getString("slot"), row.getString("term"));
                    return acts.computeIfAbsent(key, absent -> new TreeSet<>())
                            .add(new Act(row.getLong("actor_id"), row.getLong("post_id"), row.getLong("ts")));
                })
                .list();
        return acts;
    }
}
