package io.hiroba.activity.settings;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.activity.ActivityProblem;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.social.PostId;
import io.hiroba.social.SocialProblem;

/** Muting posts and people, and following the replies to a post. Each may be repeated, and so may its contrary. */
public final class Attention {

    private final Db db;
    private final AttentionStore store = new AttentionStore();

    public Attention(Db db) {
        this.db = db;
    }

    /** Mutes a post's likes, its replies, or with both all of it; what was muted of it before is replaced. */
    public void mutePost(Caller caller, PostId post, boolean likes, boolean replies) {
        requireSome(likes, replies);
        if (!db.inTransaction(tx -> store.mutePost(tx, caller.user(), post, likes, replies))) {
            throw SocialProblem.postNotFound();
        }
    }

    /** As {@link #mutePost}, but what is muted already stays so. */
    public void muteMore(Caller caller, PostId post, boolean likes, boolean replies) {
        requireSome(likes, replies);
        if (!db.inTransaction(tx -> store.muteMore(tx, caller.user(), post, likes, replies))) {
            throw SocialProblem.postNotFound();
        }
    }

    /** Takes likes, replies or both out of what is muted of a post. */
    public void muteLess(Caller caller, PostId post, boolean likes, boolean replies) {
        db.useTransaction(tx -> store.muteLess(tx, caller.user(), post, likes, replies));
    }

    private static void requireSome(boolean likes, boolean replies) {
        if (!likes && !replies) {
            throw ActivityProblem.invalid("likes", "or `replies` must be true: there is nothing to mute otherwise");
        }
    }

    public void unmutePost(Caller caller, PostId post) {
        db.useTransaction(tx -> store.unmutePost(tx, caller.user(), post));
    }

    public void mutePerson(Caller caller, UserId person) {
        if (caller.user().equals(person)) {
            throw ActivityProblem.selfMute();
        }
        try {
            db.useTransaction(tx -> store.mutePerson(tx, caller.user(), person));
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION) ? SocialProblem.userNotFound() : e;
        }
    }

    public void unmutePerson(Caller caller, UserId person) {
        db.useTransaction(tx -> store.unmutePerson(tx, caller.user(), person));
    }

    /** From now on the caller is told of the replies to somebody else's post. */
    public void followPost(Caller caller, PostId post) {
        var owner = db.inTransaction(tx -> store.followPost(tx, caller.user(), post))
                .orElseThrow(SocialProblem::postNotFound);
        if (owner.equals(caller.user())) {
            throw ActivityProblem.ownPost();
        }
    }

    public void unfollowPost(Caller caller, PostId post) {
        db.useTransaction(tx -> store.unfollowPost(tx, caller.user(), post));
    }

    public PostAttention ofPost(UserId reader, PostId post) {
        return db.read(reads -> store.ofPost(reads, reader, post));
    }

    public boolean mutesPerson(UserId reader, UserId person) {
        return db.read(reads -> store.mutesPerson(reads, reader, person));
    }
}
