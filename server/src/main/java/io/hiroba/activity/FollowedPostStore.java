package io.hiroba.activity;

import static java.util.stream.Collectors.groupingBy;

import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Followers of posts as the aggregator needs them, and the deletion of rows about deleted posts and accounts. */
final class FollowedPostStore {

    /** A user who follows a post, or did. */
    record Follower(long post, long user, boolean active) {}

    /** Two users whom a block separates. */
    record Separation(long user, long other) {}

    Map<Long, List<Follower>> followers(Tx tx, Collection<Long> posts) {
        if (posts.isEmpty()) {
            return Map.of();
        }
        return tx
                .query("SELECT post_id, user_id, active FROM activity.followed_posts WHERE post_id = ANY (:posts)")
                .bindArray("posts", Long.class, posts.toArray())
                .map(row -> new Follower(row.getLong("post_id"), row.getLong("user_id"), row.getBoolean("active")))
                .stream()
                .collect(groupingBy(Follower::post));
    }

    /** The follows of posts whose owner is separated from the follower. */
    List<Follower> separated(Tx tx, Collection<Separation> separations) {
        if (separations.isEmpty()) {
            return List.of();
        }
        return tx.query("""
                SELECT DISTINCT f.post_id, f.user_id
                FROM unnest(:users, :others) AS s (user_id, other_id)
                JOIN activity.followed_posts f ON f.user_id = s.user_id AND f.owner_id = s.other_id
                """)
                .bindArray(
                        "users",
                        Long.class,
                        separations.stream().map(Separation::user).toArray())
                .bindArray(
                        "others",
                        Long.class,
                        separations.stream().map(Separation::other).toArray())
                .map(row -> new Follower(row.getLong("post_id"), row.getLong("user_id"), false))
                .list();
    }

    /** Deletes mutes and follows of {@code posts} and of all posts of {@code owners}; returns the follows. */
    List<Follower> delete(Tx tx, Collection<Long> posts, Collection<Long> owners) {
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
                .map(row -> new Follower(row.getLong("post_id"), row.getLong("user_id"), false))
                .list();
    }
}
