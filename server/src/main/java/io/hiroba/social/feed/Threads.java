package io.hiroba.social.feed;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What stands above and below a post in its conversation: one statement a level, however wide it is. */
public final class Threads {

    private final Db db;
    private final ThreadStore store = new ThreadStore();

    public Threads(Db db) {
        this.db = db;
    }

    /** What the post replies to, what that replies to and so on, the nearest {@code most} of them, the farthest first. */
    public List<PostCard> above(UserId viewer, PostId post, int most) {
        return db.read(reads -> store.ancestors(reads, viewer, post, most));
    }

    /** The first {@code each} replies to each of the posts, in the order of the conversation. */
    public Map<PostId, List<PostCard>> below(UserId viewer, Collection<PostId> posts, int each) {
        if (posts.isEmpty()) {
            return Map.of();
        }
        return db.read(reads -> store.replies(reads, viewer, posts, each)).stream()
                .filter(card -> card.replyTo() != null)
                .collect(Collectors.groupingBy(card -> parent(card)));
    }

    /** Those of the posts to which there are replies that the viewer may see. */
    public Set<PostId> answered(UserId viewer, Collection<PostId> posts) {
        return posts.isEmpty() ? Set.of() : db.read(reads -> store.answered(reads, viewer, posts));
    }

    private static PostId parent(PostCard card) {
        var parent = card.replyTo();
        return parent == null ? card.id() : parent.id();
    }
}
