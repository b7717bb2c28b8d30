package io.hiroba.activity.collect;

import static java.util.stream.Collectors.groupingBy;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.SocialEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Passes what happens under a post on to those who follow it: as events of their own, since their cards are another
 * partition's.
 */
final class FollowedPosts {

    static final String REPLY = "followed-reply";
    static final String UNREPLY = "followed-unreply";

    /** The post is gone, or hidden from its follower. */
    static final String GONE = "followed-gone";

    /** Events that are appended by one statement. */
    private static final int AT_ONCE = 5_000;

    private final EventLog log;

    /** Somebody who follows a post, or did. */
    private record Follower(long post, long user, boolean active) {}

    FollowedPosts(EventLog log) {
        this.log = log;
    }

    void passOn(Tx tx, List<Event> batch) {
        var followers = followers(tx, ids(batch, "replyToPostId", SocialEvents.REPLY, SocialEvents.UNREPLY));
        var told = new ArrayList<NewEvent>();
        for (var event : batch.stream().filter(FollowedPosts::isReply).toList()) {
            followers.getOrDefault(EventReader.id(event, "replyToPostId"), List.of()).stream()
                    .filter(follower -> hears(follower, event))
                    .forEach(follower -> told.add(replied(event, follower)));
            if (told.size() >= AT_ONCE) {
                log.append(tx, told);
                told.clear();
            }
        }
        told.addAll(hidden(
                tx,
                batch.stream()
                        .filter(event -> event.type().equals(SocialEvents.BLOCK))
                        .toList()));
        told.addAll(forget(
                tx, ids(batch, "postId", SocialEvents.POST_DELETED), ids(batch, "userId", SocialEvents.USER_DELETED)));
        log.append(tx, told);
    }

    private static List<Long> ids(List<Event> batch, String field, String... types) {
        return batch.stream()
                .filter(event -> List.of(types).contains(event.type()))
                .map(event -> EventReader.id(event, field))
                .toList();
    }

    private static boolean isReply(Event event) {
        return event.type().equals(SocialEvents.REPLY) || event.type().equals(SocialEvents.UNREPLY);
    }

    /** Who stopped following is told of no more replies, but still that one is gone. */
    private static boolean hears(Follower follower, Event event) {
        boolean taken = event.type().equals(SocialEvents.UNREPLY);
        return (taken || follower.active()) && follower.user() != EventReader.id(event, "ownerId");
    }

    private static NewEvent replied(Event event, Follower follower) {
        return NewEvent.of(follower.user(), event.type().equals(SocialEvents.REPLY) ? REPLY : UNREPLY)
                .with("toldId", Ids.hex(follower.user()))
                .with("postId", event.payload().path("postId").asString(""))
                .with("userId", event.payload().path("userId").asString(""))
                .with("replyToPostId", Ids.hex(follower.post()));
    }

    private static Map<Long, List<Follower>> followers(Tx tx, List<Long> posts) {
        if (posts.isEmpty()) {
            return Map.of();
        }
        return tx
                .query("""
                SELECT post_id, user_id, active FROM activity.followed_posts WHERE post_id = ANY (:posts)
                """)
                .bindArray("posts", Long.class, posts.toArray())
                .map(row -> new Follower(row.getLong("post_id"), row.getLong("user_id"), row.getBoolean("active")))
                .stream()
                .collect(groupingBy(Follower::post));
    }

    /** A block hides a followed post, and with it what was told of its replies. */
    private static List<NewEvent> hidden(Tx tx, List<Event> blocks) {
        if (blocks.isEmpty()) {
            return List.of();
        }
        return tx.query("""
                SELECT DISTINCT f.post_id, f.user_id
                FROM unnest(:told, :others) AS b (told, other)
                JOIN activity.followed_posts f ON f.user_id = b.told AND f.owner_id = b.other
                """)
                .bindArray(
                        "told",
                        Long.class,
                        ids(blocks, "toldId", SocialEvents.BLOCK).toArray())
                .bindArray(
                        "others",
                        Long.class,
                        ids(blocks, "otherId", SocialEvents.BLOCK).toArray())
                .map(row -> gone(row.getLong("user_id"), row.getLong("post_id")))
                .list();
    }

    private static NewEvent gone(long follower, long post) {
        return NewEvent.of(follower, GONE).with("toldId", Ids.hex(follower)).with("postId", Ids.hex(post));
    }

    /** Takes out who follows and who mutes what is gone: posts, and all posts of people. */
    private static List<NewEvent> forget(Tx tx, List<Long> posts, List<Long> owners) {
        if (posts.isEmpty() && owners.isEmpty()) {
            return List.of();
        }
        tx.update("DELETE FROM activity.muted_posts WHERE post_id = ANY (:posts) OR owner_id = ANY (:owners)")
                .bindArray("posts", Long.class, posts.toArray())
                .bindArray("owners", Long.class, owners.toArray())
                .execute();
        return tx.query("""
                DELETE FROM activity.followed_posts WHERE post_id = ANY (:posts) OR owner_id = ANY (:owners)
                RETURNING post_id, user_id
                """)
                .bindArray("posts", Long.class, posts.toArray())
                .bindArray("owners", Long.class, owners.toArray())
                .map(row -> gone(row.getLong("user_id"), row.getLong("post_id")))
                .list();
    }
}
