package io.hiroba.social.follow;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostId;
import java.text.Normalizer;
import java.util.List;

/** Lists of people: followers, followees, likers, the blocked, and friends by nickname. */
public final class People {

    private final Db db;
    private final PeopleStore store = new PeopleStore();
    private final FriendStore friends = new FriendStore();

    public People(Db db) {
        this.db = db;
    }

    public List<Listed<PersonCard>> followers(UserId viewer, UserId of, Position after, int limit) {
        return db.read(reads -> store.followers(reads, viewer, of, after, limit));
    }

    public List<Listed<PersonCard>> followees(UserId viewer, UserId of, Position after, int limit) {
        return db.read(reads -> store.followees(reads, viewer, of, after, limit));
    }

    public List<Listed<PersonCard>> likers(UserId viewer, PostId post, Position after, int limit) {
        return db.read(reads -> store.likers(reads, viewer, post, after, limit));
    }

    /** Whom the reader has blocked, the latest first. */
    public List<Listed<PersonCard>> blocked(UserId viewer, Position after, int limit) {
        return db.read(reads -> store.blocked(reads, viewer, after, limit));
    }

    /** People whose nickname begins with {@code prefix}, whatever the case: the reader, followees, others. */
    public List<Friend> friends(UserId viewer, String prefix, FriendPosition after, int limit) {
        var normal = Normalizer.normalize(prefix, Normalizer.Form.NFC).strip();
        return db.read(reads -> friends.list(reads, viewer, normal, after, limit));
    }
}
