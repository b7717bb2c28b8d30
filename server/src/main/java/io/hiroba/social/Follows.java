package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/** The facade of follows and blocks. */
public final class Follows {

    private final Db db;
    private final InstantSource clock;
    private final EventLog events;
    private final SocialRateLimits limits;
    private final Users users;
    private final FollowStore store = new FollowStore();

    public Follows(Db db, InstantSource clock, EventLog events, SocialRateLimits limits, Users users) {
        this.db = db;
        this.clock = clock;
        this.events = events;
        this.limits = limits;
        this.users = users;
    }

    public void follow(Caller caller, UserId followee) {
        var follower = caller.user();
        if (follower.equals(followee)) {
            throw SocialProblem.selfFollow();
        }
        limits.admitFollow(caller);
        withUser(tx -> {
            store.lockPair(tx, follower, followee);
            // Truncated to the precision of the database, so that the event has the same time as the row.
            var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            var result = store.follow(tx, follower, followee, now);
            if (result.blocked()) {
                throw SocialProblem.blocked();
            }
            if (!result.inserted()) {
                throw SocialProblem.alreadyFollowing();
            }
            events.append(tx, SocialEvents.follow(follower, followee, now));
        });
    }

    public void unfollow(Caller caller, UserId followee) {
        db.useTransaction(tx -> {
            if (!store.unfollow(tx, caller.user(), followee)) {
                throw SocialProblem.notFollowing();
            }
        });
    }

    /**
     * Blocks a user: from now on neither can see, follow, like, reply to or mention the other. Admins must see everything
     * and cannot be blocked.
     */
    public void block(Caller caller, UserId other) {
        var blocker = caller.user();
        if (blocker.equals(other)) {
            throw SocialProblem.selfBlock();
        }
        if (users.find(other).orElseThrow(SocialProblem::userNotFound).user().admin()) {
            throw SocialProblem.adminNotBlocked();
        }
        limits.admitFollow(caller);
        withUser(tx -> {
            store.lockPair(tx, blocker, other);
            if (!store.block(tx, blocker, other, clock.instant())) {
                throw SocialProblem.alreadyBlocked();
            }
            store.unfollow(tx, blocker, other);
            store.unfollow(tx, other, blocker);
            events.append(tx, SocialEvents.block(blocker, other));
            events.append(
                    tx,
                    store.readMessages(tx, blocker, other).stream()
                            .map(thread -> SocialEvents.messagesRead(thread.hex(), thread.reader()))
                            .toList());
        });
    }

    public void unblock(Caller caller, UserId other) {
        db.useTransaction(tx -> {
            if (!store.unblock(tx, caller.user(), other)) {
                throw SocialProblem.notBlocked();
            }
        });
    }

    public Relation relation(UserId viewer, UserId other) {
        var relation = db.read(reads -> store.relation(reads, viewer, other)).orElseThrow(SocialProblem::userNotFound);
        return relation.blocksMe() ? relation.withoutCounts() : relation;
    }

    private void withUser(Consumer<Tx> action) {
        try {
            db.useTransaction(action);
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION) ? SocialProblem.userNotFound() : e;
        }
    }

    /** The counts of a user, and the follows and blocks between them and the reader. */
    public record Relation(
            int countPosts,
            int countFollowers,
            int countFollowees,
            boolean followedByMe,
            boolean followsMe,
            boolean blockedByMe,
            boolean blocksMe) {

        /** Whether either has blocked the other. */
        public boolean isBlocked() {
            return blockedByMe || blocksMe;
        }

        /** The view of somebody who is blocked. */
        Relation withoutCounts() {
            return new Relation(0, 0, 0, followedByMe, followsMe, blockedByMe, blocksMe);
        }
    }
}
