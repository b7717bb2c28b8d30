package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Text;
import io.hiroba.social.Author;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialProblem;
import java.time.Instant;
import java.util.List;

/**
 * The posts and people that a user mutes, and the posts whose replies they follow. Users read and change only their own; each
 * operation is idempotent. A mute applies to later acts and deletes nothing; a post that is hidden from the user cannot be
 * followed.
 */
final class MutesAndFollows {

    private final Db db;
    private final MutesAndFollowsStore store = new MutesAndFollowsStore();
    private final MuteFollowListStore lists = new MuteFollowListStore();

    MutesAndFollows(Db db) {
        this.db = db;
    }

    /**
     * A post in a list.
     *
     * @param snippet the stored form of its beginning
     */
    record ListedPost(PostId id, Author ownedBy, String snippet) {

        String excerpt() {
            return PostExcerpt.of(snippet);
        }
    }

    /** A post that is muted, or its likes or replies only. */
    record MutedPost(ListedPost post, boolean likes, boolean replies, Instant since) {}

    /** A person who is muted. */
    record MutedPerson(Author person, Instant since) {}

    /** A post of somebody else whose replies are followed. */
    record FollowedPost(ListedPost post, Instant since) {}

    /** Mutes a post's likes, its replies, or with both all of it, in place of what was muted before. */
    void mutePost(Caller caller, PostId post, boolean likes, boolean replies) {
        requireSome(likes, replies);
        if (!db.inTransaction(tx -> store.mutePost(tx, caller.user(), post, likes, replies))) {
            throw SocialProblem.postNotFound();
        }
    }

    /** As {@link #mutePost}, in addition to what is muted already. */
    void muteMore(Caller caller, PostId post, boolean likes, boolean replies) {
        requireSome(likes, replies);
        if (!db.inTransaction(tx -> store.muteMore(tx, caller.user(), post, likes, replies))) {
            throw SocialProblem.postNotFound();
        }
    }

    /** Unmutes a post's likes, its replies or both. */
    void muteLess(Caller caller, PostId post, boolean likes, boolean replies) {
        db.useTransaction(tx -> store.muteLess(tx, caller.user(), post, likes, replies));
    }

    private static void requireSome(boolean likes, boolean replies) {
        if (!likes && !replies) {
            throw ActivityProblem.invalid("likes", Text.of("activity.field.likes-or-replies"));
        }
    }

    void unmutePost(Caller caller, PostId post) {
        db.useTransaction(tx -> store.unmutePost(tx, caller.user(), post));
    }

    void mutePerson(Caller caller, UserId person) {
        if (caller.user().equals(person)) {
            throw ActivityProblem.selfMute();
        }
        try {
            db.useTransaction(tx -> store.mutePerson(tx, caller.user(), person));
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION) ? SocialProblem.userNotFound() : e;
        }
    }

    void unmutePerson(Caller caller, UserId person) {
        db.useTransaction(tx -> store.unmutePerson(tx, caller.user(), person));
    }

    /** Follows the replies to somebody else's post. */
    void followPost(Caller caller, PostId post) {
        var owner = db.inTransaction(tx -> store.followPost(tx, caller.user(), post))
                .orElseThrow(SocialProblem::postNotFound);
        if (owner.equals(caller.user())) {
            throw ActivityProblem.ownPost();
        }
    }

    void unfollowPost(Caller caller, PostId post) {
        db.useTransaction(tx -> store.unfollowPost(tx, caller.user(), post));
    }

    PostPreferences ofPost(UserId reader, PostId post) {
        return db.read(reads -> store.ofPost(reads, reader, post));
    }

    boolean mutesPerson(UserId reader, UserId person) {
        return db.read(reads -> store.mutesPerson(reads, reader, person));
    }

    /** The muted posts, the latest first, without deleted posts and those that a block hides; likewise below. */
    List<Listed<MutedPost>> mutedPosts(UserId reader, Position after, int limit) {
        return db.read(reads -> lists.mutedPosts(reads, reader, after, limit));
    }

    List<Listed<MutedPerson>> mutedPeople(UserId reader, Position after, int limit) {
        return db.read(reads -> lists.mutedPeople(reads, reader, after, limit));
    }

    List<Listed<FollowedPost>> followedPosts(UserId reader, Position after, int limit) {
        return db.read(reads -> lists.followedPosts(reads, reader, after, limit));
    }
}
