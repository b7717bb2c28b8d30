package io.hiroba.bench.chaos;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import java.time.ZoneId;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The cards as they must be: worked out from the source tables, with none of the code that makes cards. */
final class SourceCards {

    /** So many acts are shown in a card. */
    static final int SHOWN = 10;

    private final ZoneId serverZone;

    SourceCards(ZoneId serverZone) {
        this.serverZone = serverZone;
    }

    /** Each card with all of its acts. */
    SortedMap<CardKey, SortedSet<Act>> read(Handle handle) {
        var cards = new TreeMap<CardKey, SortedSet<Act>>();
        handle.createQuery("""
                        SELECT a.user_id, a.kind, a.about, a.actor_id, a.post_id, a.ts, u.time_zone
                        FROM (
                            SELECT p.owned_by AS user_id, 'like' AS kind, p.id AS about, l.liked_by AS actor_id,
                                   0 AS post_id, floor(extract(epoch FROM l.created_at) * 1000)::bigint AS ts
                            FROM social.post_likes l
                            JOIN social.posts p ON p.id = l.post_id
                            UNION ALL
                            SELECT f.followee_id, 'follow', 0, f.follower_id,
                                   0, floor(extract(epoch FROM f.created_at) * 1000)::bigint
                            FROM social.user_follows f
                            UNION ALL
                            SELECT p.owned_by, 'reply', p.id, r.owned_by, r.id, r.id >> 20
                            FROM social.posts r
                            JOIN social.posts p ON p.id = r.reply_to
                            UNION ALL
                            SELECT w.user_id, 'reply', w.post_id, r.owned_by, r.id, r.id >> 20
                            FROM social.posts r
                            JOIN activity.followed_posts w ON w.post_id = r.reply_to AND w.active
                            WHERE NOT EXISTS (
                                SELECT FROM social.user_blocks b
                                WHERE b.blocker_id = w.user_id AND b.blocked_id = w.owner_id
                                   OR b.blocker_id = w.owner_id AND b.blocked_id = w.user_id)) a
                        JOIN accounts.users u ON u.id = a.user_id
                        WHERE a.actor_id <> a.user_id
                          AND NOT EXISTS (
                              SELECT FROM social.user_blocks b
                              WHERE b.blocker_id = a.user_id AND b.blocked_id = a.actor_id
                                 OR b.blocker_id = a.actor_id AND b.blocked_id = a.user_id)
                        """)
                .map((row, ctx) -> {
                    var kind = row.getString("kind");
                    long ts = row.getLong("ts");
                    var key = new CardKey(
                            row.getLong("user_id"),
                            kind.equals("follow") ? kind : kind + ":" + Ids.hex(row.getLong("about")),
                            term(ts, row.getString("time_zone")));
                    return cards.computeIfAbsent(key, absent -> new TreeSet<>())
                            .add(new Act(row.getLong("actor_id"), row.getLong("post_id"), ts));
                })
                .list();
        return cards;
    }

    private String term(long ts, @Nullable String zone) {
        return Instant.ofEpochMilli(ts)
                .atZone(zone == null ? serverZone : ZoneId.of(zone))
                .toLocalDate()
                .toString();
    }

    /** The payload to the byte, as PostgreSQL writes JSONB: short keys first, a space after each colon and comma. */
    static String payload(CardKey key, SortedSet<Act> acts) {
        var records = acts.stream()
                .limit(SHOWN)
                .map(act -> key.ofReplies()
                        ? "{\"ts\": %d, \"postId\": \"%s\", \"userId\": \"%s\"}"
                                .formatted(act.ts(), Ids.hex(act.post()), Ids.hex(act.actor()))
                        : "{\"ts\": %d, \"userId\": \"%s\"}".formatted(act.ts(), Ids.hex(act.actor())))
                .collect(Collectors.joining(", ", "[", "]"));
        long people = acts.stream().mapToLong(Act::actor).distinct().count();
        return key.ofReplies()
                ? "{\"records\": %s, \"countPosts\": %d, \"countUsers\": %d}".formatted(records, acts.size(), people)
                : "{\"records\": %s, \"countUsers\": %d}".formatted(records, people);
    }
}
