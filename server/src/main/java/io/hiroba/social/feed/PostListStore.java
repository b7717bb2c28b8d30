package io.hiroba.social.feed;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostCards;
import java.util.List;

/** Reads lists of posts. */
final class PostListStore {

    List<Listed<PostCard>> list(Reads reads, UserId viewer, PostFilter filter, Position after, int limit) {
        return PostCards.list(query(reads, "", viewer, filter, after, limit));
    }

    List<Listed<PostCard>> feed(Reads reads, UserId viewer, Position after, int limit) {
        return PostCards.list(feed(reads, "", viewer, after, limit));
    }

    List<Listed<PostCard>> liked(Reads reads, UserId viewer, UserId liker, Position after, int limit) {
        return PostCards.list(liked(reads, "", viewer, liker, after, limit));
    }

    /** {@code lead} may be EXPLAIN. */
    static Query query(Reads reads, String lead, UserId viewer, PostFilter filter, Position after, int limit) {
        var query = PostCards.query(reads, lead + PostListSql.of(filter), viewer)
                .bind("after", after.key())
                .bind("limit", limit);
        var owner = filter.ownedBy();
        if (owner != null) {
            query.bind("ownedBy", owner.value());
        }
        if (filter.tag() != null) {
            query.bind("tag", filter.tag());
        }
        var replyTo = filter.replyTo();
        if (replyTo != null) {
            query.bind("replyTo", replyTo.value());
        }
        return query;
    }

    static Query feed(Reads reads, String lead, UserId viewer, Position after, int limit) {
        return PostCards.query(reads, lead + PostListSql.FEED, viewer)
                .bind("after", after.key())
                .bind("limit", limit);
    }

    static Query liked(Reads reads, String lead, UserId viewer, UserId liker, Position after, int limit) {
        return PostCards.query(reads, lead + PostListSql.LIKED, viewer)
                .bind("liker", liker.value())
                .bind("time", after.time())
                .bind("after", after.id())
                .bind("limit", limit);
    }
}
