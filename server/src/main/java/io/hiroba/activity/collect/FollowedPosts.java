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
    static final String GONE = "followed-gone";

    private static final String USER_DELETED = "user-deleted";

    private final EventLog log;

    /** Somebody who follows a post, or did. */
    private record Follower(long post, long user, boolean active) {}

    FollowedPosts(EventLog log) {
        this.log = log;
    }

    void passOn(Tx tx, List<Event> batch) {
        var told = new ArrayList<NewEvent>();
        var followers = followers(
                tx,
                batch.stream()
                        .filter(FollowedPosts::isReply)
                        .map(FollowedPosts::answered)
                        .toList());
        for (var event : batch) {
            switch (event.type()) {
                case SocialEvents.REPLY, SocialEvents.UNREPLY ->
                    followers.getOrDefault(answered(event), List.of()).stream()
                            .filter(follower -> hears(follower, event))
                            .forEach(follower -> told.add(replied(event, follower)));
                case SocialEvents.POST_DELETED -> told.addAll(forget(tx, "post_id", EventReader.id(event, "postId")));
                case USER_DELETED -> told.addAll(forget(tx, "owner_id", EventReader.id(event, "userId")));
                default -> {}
            }
        }
        log.append(tx, told);
    }

    private static boolean isReply(Event event) {
        return event.type().equals(SocialEvents.REPLY) || event.type().equals(SocialEvents.UNREPLY);
    }

    private static long answered(Event event) {
        return EventReader.id(event, "replyToPostId");
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
        return tx.query("""
                SELECT post_id, user_id, active FROM activity.followed_posts WHERE post_id = ANY (:posts)
                """)
                .bindArray("posts", Long.class, posts.toArray())
                .map((row, ctx) ->
                        new Follower(row.getLong("post_id"), row.getLong("user_id"), row.getBoolean("active")))
                .collect(groupingBy(Follower::post));
    }

    /** Takes out who follows, and mutes, posts that are gone: those whose {@code column} is {@code id}. */
    private static List<NewEvent> forget(Tx tx, String column, long id) {
        if (column.equals("post_id")) {
            tx.update("DELETE FROM activity.muted_posts WHERE post_id = :id")
                    .bind("id", id)
                    .execute();
        }
        return tx.query("DELETE FROM activity.followed_posts WHERE " + column + " = :id RETURNING post_id, user_id")
                .bind("id", id)
                .map((row, ctx) -> NewEvent.of(row.getLong("user_id"), GONE)
                        .with("toldId", Ids.hex(row.getLong("user_id")))
                        .with("postId", Ids.hex(row.getLong("post_id"))))
                .list();
    }
}
