package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.activity.CardAggregator;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The social feature with cards being collected. */
public final class TestActivity implements AutoCloseable {

    public static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

    public final TestSocial social = new TestSocial();

    /** Whose cards had something new. */
    public final Set<UserId> told = ConcurrentHashMap.newKeySet();

    public TestActivity() {
        social.consume(CardAggregator.CONSUMER, new CardAggregator(ZONE, social.log(), told::addAll));
    }

    /** A card as it is stored. */
    public record StoredCard(String slot, String term, boolean read, String payload) {

        public JsonNode json() {
            return JsonMapper.shared().readTree(payload);
        }

        /** The ids of those who are shown, newest first. */
        public List<String> actors() {
            var ids = new ArrayList<String>();
            json().path("records").forEach(each -> ids.add(each.path("userId").asString()));
            return ids;
        }
    }

    /** The reader's card, if there is no other. */
    public StoredCard only(UserId reader) {
        var cards = cards(reader);
        assertThat(cards).hasSize(1);
        return cards.getFirst();
    }

    public void sql(String statement) {
        social.db.useTransaction(tx -> tx.update(statement).execute());
    }

    /** The reader's cards, by slot and term, once everything that was told is handled. */
    public List<StoredCard> cards(UserId reader) {
        social.settle();
        return social.db.read(reads -> reads.query("""
                        SELECT slot, term, is_read, payload::text AS payload FROM activity.notifications
                        WHERE user_id = :reader ORDER BY slot, term
                        """)
                .bind("reader", reader.value())
                .map(row -> new StoredCard(
                        row.getString("slot"),
                        row.getString("term"),
                        row.getBoolean("is_read"),
                        row.getString("payload")))
                .list());
    }

    /**
     * Compares all cards but those of mentions with what posts, likes and follows say, and answers how they differ; there
     * must have been no blocks and no mutes. Days are those of {@link #ZONE}.
     */
    public List<String> differences() {
        social.settle();
        return social.db.read(reads ->
                reads.query("""
                        WITH acts AS (
                            SELECT f.followee_id AS user_id, 'follow' AS slot, f.follower_id AS actor_id,
                                   0::bigint AS post_id, floor(extract(epoch FROM f.created_at) * 1000)::bigint AS ts
                            FROM social.user_follows f
                            UNION ALL
                            SELECT p.owned_by, 'like:' || social.hex(p.id), l.liked_by, 0,
                                   floor(extract(epoch FROM l.created_at) * 1000)::bigint
                            FROM social.post_likes l JOIN social.posts p ON p.id = l.post_id
                            WHERE l.liked_by <> p.owned_by
                            UNION ALL
                            SELECT q.owned_by, 'reply:' || social.hex(q.id), r.owned_by, r.id, r.id >> 20
                            FROM social.posts r JOIN social.posts q ON q.id = r.reply_to
                            WHERE r.owned_by <> q.owned_by),
                        dated AS (
                            SELECT *, (to_timestamp(ts / 1000.0) AT TIME ZONE :zone)::date::text AS term FROM acts),
                        ranked AS (
                            SELECT *, row_number() OVER (PARTITION BY user_id, slot, term
                                                         ORDER BY ts DESC, actor_id DESC, post_id DESC) AS n
                            FROM dated),
                        truth AS (
                            SELECT user_id, slot, term,
                                   jsonb_build_object(
                                       'records', jsonb_agg(
                                           jsonb_build_object('ts', ts, 'userId', social.hex(actor_id))
                                           || CASE WHEN slot LIKE 'reply:%'
                                                   THEN jsonb_build_object('postId', social.hex(post_id))
                                                   ELSE '{}' END
                                           ORDER BY n) FILTER (WHERE n <= 10),
                                       'countUsers', count(DISTINCT actor_id))
                                   || CASE WHEN slot LIKE 'reply:%' THEN jsonb_build_object('countPosts', count(*))
                                           ELSE '{}' END AS payload
                            FROM ranked GROUP BY user_id, slot, term),
                        cards AS (
                            SELECT user_id, slot, term, payload FROM activity.notifications
                            WHERE slot NOT LIKE 'mention:%'),
                        tabled AS (
                            SELECT user_id, slot, term, actor_id, post_id, ts,
                                   count(*) OVER (PARTITION BY user_id, slot, term) AS many FROM dated)
                        (SELECT 'missing ' || t::text FROM (SELECT * FROM truth EXCEPT SELECT * FROM cards) t)
                        UNION ALL
                        (SELECT 'too much ' || t::text FROM (SELECT * FROM cards EXCEPT SELECT * FROM truth) t)
                        UNION ALL
                        (SELECT 'not counted ' || t::text FROM (
                             SELECT user_id, slot, term, actor_id, post_id, ts FROM tabled WHERE many > 10
                             EXCEPT
                             SELECT user_id, slot, term, actor_id, post_id, ts FROM activity.card_acts) t)
                        UNION ALL
                        (SELECT 'counted ' || t::text FROM (
                             SELECT user_id, slot, term, actor_id, post_id, ts FROM activity.card_acts
                             WHERE slot NOT LIKE 'mention:%'
                             EXCEPT
                             SELECT user_id, slot, term, actor_id, post_id, ts FROM tabled WHERE many > 10) t)
                        """).bind("zone", ZONE.getId()).mapTo(String.class).list());
    }

    @Override
    public void close() {
        social.close();
    }
}
