package io.hiroba.bench.activity;

import io.hiroba.platform.db.Db;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Upserts finished cards and actions in plain JDBC: one connection, 1,000 rows a statement and transaction. */
final class PlainCardUpserts {

    private static final int ROWS = 1000;

    private final Db db;
    private List<Card> cards = List.of();
    private List<Act> acts = List.of();

    private record Card(long user, String slot, String term, String payload) {}

    private record Act(long user, String slot, String term, long actor, long post, long ts) {}

    PlainCardUpserts(Db db) {
        this.db = db;
    }

    /** Reads the rows that {@link #seconds} writes. */
    void capture() {
        cards = db.read(reads -> reads.query("""
                        SELECT user_id, slot, term, payload::text AS payload FROM activity.notifications
                        WHERE term >= '2026-06'
                        """)
                .map(row -> new Card(
                        row.getLong("user_id"), row.getString("slot"), row.getString("term"), row.getString("payload")))
                .list());
        acts = db.read(reads -> reads.query("""
                        SELECT user_id, slot, term, actor_id, post_id, ts FROM activity.card_acts WHERE term >= '2026-06'
                        """)
                .map(row -> new Act(
                        row.getLong("user_id"),
                        row.getString("slot"),
                        row.getString("term"),
                        row.getLong("actor_id"),
                        row.getLong("post_id"),
                        row.getLong("ts")))
                .list());
    }

    /** Writes all rows and returns how long it took. */
    double seconds() {
        try (var connection = db.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            long start = System.nanoTime();
            for (int from = 0; from < cards.size(); from += ROWS) {
                upsertCards(connection, cards.subList(from, Math.min(from + ROWS, cards.size())));
                connection.commit();
            }
            for (int from = 0; from < acts.size(); from += ROWS) {
                upsertActs(connection, acts.subList(from, Math.min(from + ROWS, acts.size())));
                // Each batch of actions changes their card; there is one.
                upsertCards(connection, cards.subList(0, 1));
                connection.commit();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            connection.setAutoCommit(true);
            return seconds;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void upsertCards(Connection connection, List<Card> batch) throws SQLException {
        try (var upsert = connection.prepareStatement("""
                INSERT INTO activity.notifications (user_id, slot, term, is_read, payload, updated_at, created_at)
                SELECT user_id, slot, term, false, payload, clock_timestamp(), clock_timestamp()
                FROM unnest(?::bigint[], ?::varchar[], ?::varchar[], ?::jsonb[]) AS k (user_id, slot, term, payload)
                ON CONFLICT (user_id, slot, term) DO UPDATE
                SET is_read = false, payload = EXCLUDED.payload, updated_at = EXCLUDED.updated_at
                """)) {
            upsert.setObject(1, batch.stream().mapToLong(Card::user).toArray());
            upsert.setObject(2, batch.stream().map(Card::slot).toArray(String[]::new));
            upsert.setObject(3, batch.stream().map(Card::term).toArray(String[]::new));
            upsert.setObject(4, batch.stream().map(Card::payload).toArray(String[]::new));
            upsert.executeUpdate();
        }
    }

    private static void upsertActs(Connection connection, List<Act> batch) throws SQLException {
        try (var upsert = connection.prepareStatement("""
                INSERT INTO activity.card_acts (user_id, slot, term, actor_id, post_id, ts)
                SELECT user_id, slot, term, actor_id, post_id, ts
                FROM unnest(?::bigint[], ?::varchar[], ?::varchar[], ?::bigint[], ?::bigint[], ?::bigint[])
                     AS k (user_id, slot, term, actor_id, post_id, ts)
                ON CONFLICT (user_id, slot, term, actor_id, post_id) DO NOTHING
                """)) {
            upsert.setObject(1, batch.stream().mapToLong(Act::user).toArray());
            upsert.setObject(2, batch.stream().map(Act::slot).toArray(String[]::new));
            upsert.setObject(3, batch.stream().map(Act::term).toArray(String[]::new));
            upsert.setObject(4, batch.stream().mapToLong(Act::actor).toArray());
            upsert.setObject(5, batch.stream().mapToLong(Act::post).toArray());
            upsert.setObject(6, batch.stream().mapToLong(Act::ts).toArray());
            upsert.executeUpdate();
        }
    }

    void vacuum() {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM ANALYZE activity.notifications, activity.card_acts, platform.event_logs,"
                    + " platform.event_log_cursors");
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
