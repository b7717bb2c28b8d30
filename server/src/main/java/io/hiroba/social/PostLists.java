package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The facade of lists of posts and threads that a reader may see: one statement for each list or level. */
public final class PostLists {

    private final Db db;
    private final TimelineWindows windows;
    private final PostListStore store = new PostListStore();
    private final ThreadStore threads = new ThreadStore();

    public PostLists(Db db, TimelineWindows windows) {
        this.db = db;
        this.windows = windows;
    }

    public List<Listed<PostCard>> list(UserId viewer, PostFilter filter, Position after, int limit) {
        return db.read(reads -> store.list(reads, viewer, filter, after, limit));
    }

    /** The root posts of those the reader follows, and their own: a page is within the window or none of it is. */
    public List<Listed<PostCard>> feed(UserId viewer, Position after, int limit) {
        var page = db.read(reads -> store.feed(reads, viewer, after, limit));
        boolean complete = page.cards().size() == limit || page.reachesEnd();
        var readAt = page.readAt();
        if (after.equals(Position.NEWEST) && (!complete || readAt == null || windows.isOld(readAt))) {
            windows.request(viewer, !complete);
        }
        return complete ? page.cards() : db.read(reads -> store.feedFromPosts(reads, viewer, after, limit));
    }

    /** The posts that {@code liker} likes, the latest like first. */
    public List<Listed<PostCard>> likedBy(UserId viewer, UserId liker, Position after, int limit) {
        return db.read(reads -> store.liked(reads, viewer, liker, after, limit));
    }

    /** The nearest {@code limit} ancestors of a post, the farthest first. */
    public List<PostCard> ancestors(UserId viewer, PostId post, int limit) {
        return db.read(reads -> threads.ancestors(reads, viewer, post, limit));
    }

    /** The first {@code each} replies to each of the posts, the oldest first. */
    public Map<PostId, List<PostCard>> replies(UserId viewer, Collection<PostId> posts, int each) {
        if (posts.isEmpty()) {
            return Map.of();
        }
        return db.read(reads -> threads.replies(reads, viewer, posts, each)).stream()
                .filter(card -> card.replyTo() != null)
                .collect(Collectors.groupingBy(card -> parent(card)));
    }

    /** The posts that have replies which the viewer may see. */
    public Set<PostId> haveReplies(UserId viewer, Collection<PostId> posts) {
        return posts.isEmpty() ? Set.of() : db.read(reads -> threads.haveReplies(reads, viewer, posts));
    }

    private static PostId parent(PostCard card) {
        var parent = card.replyTo();
        return parent == null ? card.id() : parent.id();
    }
}
