package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.EventLog.NewEvent;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The events of social, by type. Each goes to the partition of its recipient: a follow to the followee, a like and a
 * reply to the owner of the post, a mention to the mentioned user, changes of a post to its author, and a block to
 * both. Withdrawals go to the same partitions; database triggers append them.
 */
public final class SocialEvents {

    public static final String FOLLOW = "follow";
    public static final String LIKE = "like";
    public static final String REPLY = "reply";
    public static final String MENTION = "mention";

    /** A post was created, or became a root because the post it replied to was deleted. */
    public static final String POST = "post";

    public static final String POST_EDITED = "post-edited";

    /** Not appended for the posts of a deleted account: that is {@link #USER_DELETED}. */
    public static final String POST_DELETED = "post-deleted";

    public static final String UNFOLLOW = "unfollow";
    public static final String UNLIKE = "unlike";
    public static final String UNREPLY = "unreply";
    public static final String UNMENTION = "unmention";
    public static final String BLOCK = "block";

    /** A direct message, to the partition of each who gets it. */
    public static final String MESSAGE = "message";

    /** All messages of a thread were read, or went or were hidden unread, to the partition of the reader. */
    public static final String MESSAGES_READ = "messages-read";

    /** Appended by accounts, to the partition of the deleted user. */
    public static final String USER_DELETED = "user-deleted";

    private SocialEvents() {}

    public static NewEvent follow(UserId follower, UserId followee, Instant at) {
        return NewEvent.of(followee.value(), FOLLOW)
                .with("followeeId", followee.hex())
                .with("followerId", follower.hex())
                .with("ts", at.toEpochMilli());
    }

    /** One event for each of the two. */
    public static List<NewEvent> block(UserId blocker, UserId blocked) {
        return Stream.of(blocker, blocked)
                .map(user -> NewEvent.of(user.value(), BLOCK)
                        .with("toldId", user.hex())
                        .with("otherId", user.equals(blocker) ? blocked.hex() : blocker.hex()))
                .toList();
    }

    static NewEvent like(PostId post, UserId owner, UserId by, Instant at) {
        return NewEvent.of(owner.value(), LIKE)
                .with("postId", post.hex())
                .with("ownerId", owner.hex())
                .with("userId", by.hex())
                .with("ts", at.toEpochMilli());
    }

    /** A thread of direct messages, by its id, was read, or has nothing unread any more. */
    public static NewEvent messagesRead(String thread, UserId reader) {
        return NewEvent.of(reader.value(), MESSAGES_READ)
                .with("threadId", thread)
                .with("userId", reader.hex());
    }

    /** @param mentioned the users whom the reply mentions, who are told of that as well */
    static NewEvent reply(PostId post, UserId by, PostId to, UserId owner, Collection<UserId> mentioned) {
        return NewEvent.of(owner.value(), REPLY)
                .with("postId", post.hex())
                .with("userId", by.hex())
                .with("replyToPostId", to.hex())
                .with("ownerId", owner.hex())
                .with("mentionedUserIds", mentioned.stream().map(UserId::hex).collect(Collectors.joining(" ")));
    }

    /** A mention in a reply to {@code to}, whose owner is told of the reply as well. */
    static NewEvent mentionInReply(PostId post, UserId by, UserId mentioned, PostId to, UserId owner) {
        return mention(post, by, mentioned).with("replyToPostId", to.hex()).with("ownerId", owner.hex());
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
