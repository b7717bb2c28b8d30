package io.hiroba.activity;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Rows of card_acts: all acts of cards that have more of them than their payload holds. */
final class CardActStore {

    /** An act of a card. */
    record Counted(CardKey card, ActRecord act) {}

    /** The key of an act of a card. */
    record ActKey(CardKey card, ActRecord.Id act) {}

    /** A person who may have acts on a card. */
    record ActorOnCard(CardKey card, long actor) {}

    List<Counted> of(Tx tx, List<ActorOnCard> actors) {
        if (actors.isEmpty()) {
            return List.of();
        }
        var statement = tx.query("""
                SELECT a.user_id, a.slot, a.term, a.actor_id, a.post_id, a.ts
                FROM unnest(:users, :slots, :terms, :actors) AS k (user_id, slot, term, actor_id)
                JOIN activity.card_acts a USING (user_id, slot, term, actor_id)
                """);
        CardStore.bind(statement, actors.stream().map(ActorOnCard::card).toList());
        return CardStore.bind(statement, "actors", actors, ActorOnCard::actor)
                .map(row -> counted(row))
                .list();
    }

    void insert(Tx tx, List<Counted> acts) {
        if (acts.isEmpty()) {
            return;
        }
        var statement = tx.update("""
                INSERT INTO activity.card_acts (user_id, slot, term, actor_id, post_id, ts)
                SELECT user_id, slot, term, actor_id, post_id, ts
                FROM unnest(:users, :slots, :terms, :actors, :posts, :times)
                     AS k (user_id, slot, term, actor_id, post_id, ts)
                """);
        CardStore.bind(statement, acts.stream().map(Counted::card).toList());
        CardStore.bind(statement, "actors", acts, counted -> counted.act().actor());
        CardStore.bind(statement, "posts", acts, counted -> counted.act().post());
        CardStore.bind(statement, "times", acts, counted -> counted.act().ts()).execute();
    }

    void delete(Tx tx, List<ActKey> acts) {
        if (acts.isEmpty()) {
            return;
        }
        var statement = tx.update("""
                DELETE FROM activity.card_acts a
                USING unnest(:users, :slots, :terms, :actors, :posts) AS k (user_id, slot, term, actor_id, post_id)
                WHERE a.user_id = k.user_id AND a.slot = k.slot AND a.term = k.term
                  AND a.actor_id = k.actor_id AND a.post_id = k.post_id
                """);
        CardStore.bind(statement, acts.stream().map(ActKey::card).toList());
        CardStore.bind(statement, "actors", acts, key -> key.act().actor());
        CardStore.bind(statement, "posts", acts, key -> key.act().post()).execute();
    }

    void deleteAll(Tx tx, Collection<CardKey> cards) {
        if (!cards.isEmpty()) {
            CardStore.bind(tx.update("""
                    DELETE FROM activity.card_acts a
                    USING unnest(:users, :slots, :terms) AS k (user_id, slot, term)
                    WHERE a.user_id = k.user_id AND a.slot = k.slot AND a.term = k.term
                    """), cards).execute();
        }
    }

    /** The newest acts of each card, as many as its payload holds. */
    Map<CardKey, List<ActRecord>> newest(Tx tx, Collection<CardKey> cards) {
        if (cards.isEmpty()) {
            return Map.of();
        }
        return CardStore.bind(tx.query("""
                SELECT k.user_id, k.slot, k.term, a.actor_id, a.post_id, a.ts
                FROM unnest(:users, :slots, :terms) AS k (user_id, slot, term)
                CROSS JOIN LATERAL (
                    SELECT actor_id, post_id, ts
                    FROM activity.card_acts c
                    WHERE c.user_id = k.user_id AND c.slot = k.slot AND c.term = k.term AND c.ts > 0
                    ORDER BY ts DESC, actor_id DESC, post_id DESC
                    LIMIT :max) a
                """), cards).bind("max", CardPayload.MAX_ACTS).map(row -> counted(row)).stream()
                .collect(groupingBy(Counted::card, mapping(Counted::act, toList())));
    }

    private static Counted counted(ResultSet row) throws SQLException {
        return new Counted(
                CardStore.key(row), ActRecord.of(row.getLong("actor_id"), row.getLong("post_id"), row.getLong("ts")));
    }
}
