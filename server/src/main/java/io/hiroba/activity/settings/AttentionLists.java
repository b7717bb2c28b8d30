package io.hiroba.activity.settings;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import java.util.List;

/** What somebody has muted and follows, the latest first. What is gone, and what a block hides, is left out. */
public final class AttentionLists {

    private final Db db;
    private final AttentionListStore store = new AttentionListStore();

    public AttentionLists(Db db) {
        this.db = db;
    }

    public List<Listed<MutedPost>> mutedPosts(UserId reader, Position after, int limit) {
        return db.read(reads -> store.mutedPosts(reads, reader, after, limit));
    }

    public List<Listed<MutedPerson>> mutedPeople(UserId reader, Position after, int limit) {
        return db.read(reads -> store.mutedPeople(reads, reader, after, limit));
    }

    public List<Listed<FollowedPost>> followedPosts(UserId reader, Position after, int limit) {
        return db.read(reads -> store.followedPosts(reads, reader, after, limit));
    }
}
