package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.EventLog.NewEvent;

/**
 * What social tells the event log, by type. Each event goes to the one it concerns: a follow to the followee, a like and
 * a reply to the owner of the post, a mention to the mentioned, and what becomes of a post to its author.
 */
public final class SocialEvents {

    public static final String FOLLOW = "follow";
    public static final String LIKE = "like";
    public static final String REPLY = "reply";
    public static final String MENTION = "mention";

    /** A post was made, or became a root because the post it replied to is gone. */
    public static final String POST = "post";

    public static final String POST_EDITED = "post-edited";

    /** Not told for the posts and follows of an account that is deleted: that is an event of its own. */
    public static final String POST_DELETED = "post-deleted";

    public static final String UNFOLLOW = "unfollow";

    private SocialEvents() {}

    /** {@link #FOLLOW} or {@link #UNFOLLOW}. */
    public static NewEvent follow(String type, UserId follower, UserId followee) {
        return NewEvent.of(followee.value(), type)
                .with("followeeId", followee.hex())
                .with("followerId", follower.hex());
    }

    static NewEvent like(PostId post, UserId owner, UserId by) {
        return NewEvent.of(owner.value(), LIKE).with("postId", post.hex()).with("userId", by.hex());
    }

    static NewEvent reply(PostId post, UserId by, PostId to, UserId owner) {
        return NewEvent.of(owner.value(), REPLY)
                .with("postId", post.hex())
                .with("userId", by.hex())
                .with("replyToPostId", to.hex());
    }

    static NewEvent mention(PostId post, UserId by, UserId mentioned) {
        return NewEvent.of(mentioned.value(), MENTION)
                .with("postId", post.hex())
                .with("userId", by.hex())
                .with("mentionedUserId", mentioned.hex());
    }

    static NewEvent post(String type, PostId post, UserId by) {
        return NewEvent.of(by.value(), type).with("postId", post.hex()).with("userId", by.hex());
    }
}
