package io.hiroba.social.feed;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import java.util.List;

/** Lists of posts as one reader may see them. */
public final class PostLists {

    private final Db db;
    private final PostListStore store = new PostListStore();

    public PostLists(Db db) {
        this.db = db;
    }

    public List<Listed<PostCard>> list(UserId viewer, PostFilter filter, Position after, int limit) {
        return db.read(reads -> store.list(reads, viewer, filter, after, limit));
    }

    /** The root posts of those the reader follows, and their own. */
    public List<Listed<PostCard>> feed(UserId viewer, Position after, int limit) {
        return db.read(reads -> store.feed(reads, viewer, after, limit));
    }

    /** What {@code liker} likes, the latest like first. */
    public List<Listed<PostCard>> likedBy(UserId viewer, UserId liker, Position after, int limit) {
        return db.read(reads -> store.liked(reads, viewer, liker, after, limit));
    }
}
