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

/** Computes the expected cards from the source tables, with none of the code under test. */
final class ExpectedCards {

    /** The number of actions that a card shows. */
    static final int MAX_SHOWN = 10;

    private final ZoneId serverZone;

    ExpectedCards(ZoneId serverZone) {
        this.serverZone = serverZone;
    }

    SortedMap<CardIdentity, SortedSet<CardAction>> read(Handle handle) {
        var cards = new TreeMap<CardIdentity, SortedSet<CardAction>>();
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
                    var key = new CardIdentity(
                            row.getLong("user_id"),
                            kind.equals("follow") ? kind : kind + ":" + Ids.hex(row.getLong("about")),
                            term(ts, row.getString("time_zone")));
                    return cards.computeIfAbsent(key, absent -> new TreeSet<>())
                            .add(new CardAction(row.getLong("actor_id"), row.getLong("post_id"), ts));
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
    static String payload(CardIdentity key, SortedSet<CardAction> acts) {
        var records = acts.stream()
                .limit(MAX_SHOWN)
                .map(performRandomAction -> key.ofReplies()
                        ? "{\"ts\": %d, \"postId\": \"%s\", \"userId\": \"%s\"}"
                                .formatted(
                                        performRandomAction.ts(),
                                        Ids.hex(performRandomAction.post()),
                                        Ids.hex(performRandomAction.actor()))
                        : "{\"ts\": %d, \"userId\": \"%s\"}"
                                .formatted(performRandomAction.ts(), Ids.hex(performRandomAction.actor())))
                .collect(Collectors.joining(", ", "[", "]"));
        long users = acts.stream().mapToLong(CardAction::actor).distinct().count();
        return key.ofReplies()
                ? "{\"records\": %s, \"countPosts\": %d, \"countUsers\": %d}".formatted(records, acts.size(), users)
                : "{\"records\": %s, \"countUsers\": %d}".formatted(records, users);
    }
}
