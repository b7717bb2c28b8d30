package io.hiroba.social;

import io.hiroba.accounts.UserCounts;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Friend.FriendPosition;
import java.text.Normalizer;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The facade of lists of people: followers, followees, likers, blocked users, and friends by nickname. */
public final class PeopleLists {

    private final Db db;
    private final PeopleStore store = new PeopleStore();
    private final FriendStore friends = new FriendStore();

    public PeopleLists(Db db) {
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

    /** The users whom the reader has blocked, the latest first. */
    public List<Listed<PersonCard>> blocked(UserId viewer, Position after, int limit) {
        return db.read(reads -> store.blocked(reads, viewer, after, limit));
    }

    /** People whose nickname begins with {@code prefix}, whatever case and accents: the reader, followees, others. */
    public List<Friend> friends(UserId viewer, String prefix, FriendPosition after, int limit) {
        var normal = Normalizer.normalize(prefix, Normalizer.Form.NFC).strip();
        return db.read(reads -> friends.list(reads, viewer, normal, after, limit));
    }

    /** The counts of these users. */
    Map<UserId, UserCounts.Counts> counts(Collection<UserId> users) {
        return users.isEmpty() ? Map.of() : db.read(reads -> store.counts(reads, users));
    }

    /** A person as lists of people show them to one reader. */
    public record PersonCard(Author person, boolean followedByMe, boolean followsMe) {}
}
