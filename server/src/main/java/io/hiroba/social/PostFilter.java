package io.hiroba.social;

import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A filter of posts; with nothing set, all root posts.
 *
 * @param replies whether replies are included; a list of replies to a post includes them anyway
 */
public record PostFilter(
        @Nullable UserId ownedBy,
        @Nullable String tag,
        @Nullable PostId replyTo,
        boolean replies,
        Order order) {

    /** The order by the time of posting. */
    public enum Order {
        NEWEST_FIRST,
        OLDEST_FIRST
    }

    public static final PostFilter NEWEST = new PostFilter(null, null, null, false, Order.NEWEST_FIRST);

    public static PostFilter ownedBy(UserId owner) {
        return new PostFilter(owner, null, null, false, Order.NEWEST_FIRST);
    }

    public static PostFilter tagged(String tag) {
        return new PostFilter(null, tag, null, false, Order.NEWEST_FIRST);
    }

    /** The oldest first. */
    public static PostFilter repliesTo(PostId post) {
        return new PostFilter(null, null, post, true, Order.OLDEST_FIRST);
    }

    public PostFilter withReplies() {
        return new PostFilter(ownedBy, tag, replyTo, true, order);
    }

    public PostFilter inOrder(Order other) {
        return new PostFilter(ownedBy, tag, replyTo, replies, other);
    }
}
