package io.hiroba.activity;

import io.hiroba.activity.CardChange.UserBlocked;
import io.hiroba.activity.CardKey.Topic;
import io.hiroba.platform.db.SqlStatement;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Reads and writes of the aggregator on notifications: all cards of a batch in one statement. */
final class CardStore {

    List<CardDraft> load(Tx tx, Collection<CardKey> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        return bind(tx.query("""
                SELECT n.user_id, n.slot, n.term, n.payload
                FROM unnest(:users, :slots, :terms) AS k (user_id, slot, term)
                JOIN activity.notifications n USING (user_id, slot, term)
                """), keys).map(CardStore::draft).list();
    }

    /** The cards of all days. */
    List<CardDraft> loadAll(Tx tx, Collection<Topic> topics) {
        if (topics.isEmpty()) {
            return List.of();
        }
        return tx.query("""
                SELECT n.user_id, n.slot, n.term, n.payload
                FROM unnest(:users, :slots) AS k (user_id, slot)
                JOIN activity.notifications n USING (user_id, slot)
                """)
                .bindArray(
                        "users", Long.class, topics.stream().map(Topic::reader).toArray())
                .bindArray(
                        "slots",
                        String.class,
                        topics.stream().map(topic -> topic.slot().text()).toArray())
                .map(CardStore::draft)
                .list();
    }

    /** The cards of a reader with acts of a blocked user. */
    List<CardDraft> loadWithActor(Tx tx, Collection<UserBlocked> pairs) {
        if (pairs.isEmpty()) {
            return List.of();
        }
        return tx.query("""
                SELECT n.user_id, n.slot, n.term, n.payload
                FROM unnest(:users, :others) AS k (user_id, other)
                JOIN activity.notifications n USING (user_id)
                WHERE n.payload @> jsonb_build_object('records', jsonb_build_array(jsonb_build_object(
                          'userId', lpad(upper(to_hex(k.other)), 16, '0'))))
                   OR EXISTS (SELECT FROM activity.card_acts a
                              WHERE a.user_id = n.user_id AND a.slot = n.slot AND a.term = n.term
                                AND a.actor_id = k.other)
                """)
                .bindArray(
                        "users",
                        Long.class,
                        pairs.stream().map(UserBlocked::reader).toArray())
                .bindArray(
                        "others",
                        Long.class,
                        pairs.stream().map(UserBlocked::other).toArray())
                .map(CardStore::draft)
                .list();
    }

    void delete(Tx tx, Collection<CardKey> keys) {
        if (!keys.isEmpty()) {
            bind(tx.update("""
                    DELETE FROM activity.notifications n
                    USING unnest(:users, :slots, :terms) AS k (user_id, slot, term)
                    WHERE n.user_id = k.user_id AND n.slot = k.slot AND n.term = k.term
                    """), keys).execute();
        }
    }

    /** Inserts or updates cards with new acts: they become unread and move to the top. */
    void upsertUnread(Tx tx, Map<CardKey, CardPayload> cards) {
        if (!cards.isEmpty()) {
            bindPayloads(bind(tx.update("""
                    INSERT INTO activity.notifications (user_id, slot, term, is_read, payload, updated_at, created_at)
                    SELECT k.user_id, k.slot, k.term, false, k.payload, clock_timestamp(), clock_timestamp()
                    FROM unnest(:users, :slots, :terms, CAST(:payloads AS jsonb[])) AS k (user_id, slot, term, payload)
                    ON CONFLICT (user_id, slot, term) DO UPDATE
                    SET is_read = false,
                        payload = EXCLUDED.payload,
                        updated_at = greatest(EXCLUDED.updated_at, notifications.updated_at + interval '1 microsecond')
                    """), cards.keySet()), cards).execute();
        }
    }

    /** Updates cards without new acts: they stay where they are. */
    void updatePayload(Tx tx, Map<CardKey, CardPayload> cards) {
        if (!cards.isEmpty()) {
            bindPayloads(bind(tx.update("""
                    UPDATE activity.notifications n
                    SET payload = k.payload
                    FROM unnest(:users, :slots, :terms, CAST(:payloads AS jsonb[])) AS k (user_id, slot, term, payload)
                    WHERE n.user_id = k.user_id AND n.slot = k.slot AND n.term = k.term
                    """), cards.keySet()), cards).execute();
        }
    }

    private static <S extends SqlStatement<S>> S bindPayloads(S statement, Map<CardKey, CardPayload> cards) {
        return statement.bindArray(
                "payloads",
                String.class,
                cards.entrySet().stream()
                        .map(card -> card.getValue().text(card.getKey().slot().kind()))
                        .toArray());
    }

    static <S extends SqlStatement<S>> S bind(S statement, Collection<CardKey> keys) {
        return statement
                .bindArray(
                        "users", Long.class, keys.stream().map(CardKey::reader).toArray())
                .bindArray(
                        "slots",
                        String.class,
                        keys.stream().map(key -> key.slot().text()).toArray())
                .bindArray(
                        "terms", String.class, keys.stream().map(CardKey::term).toArray());
    }

    static <S extends SqlStatement<S>, T> S bind(S statement, String name, Collection<T> all, ToLongFunction<T> value) {
        return statement.bindArray(
                name, Long.class, all.stream().map(value::applyAsLong).toArray());
    }

    static CardKey key(ResultSet row) throws SQLException {
        var slot = Slot.find(row.getString("slot")).orElseThrow();
        return new CardKey(row.getLong("user_id"), slot, row.getString("term"));
    }

    private static CardDraft draft(ResultSet row) throws SQLException {
        var key = key(row);
        return new CardDraft(key, CardPayload.read(key.slot().kind(), row.getString("payload")));
    }
}
