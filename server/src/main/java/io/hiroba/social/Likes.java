package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.events.EventLog;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** The facade of likes. */
public final class Likes {

    private final Db db;
    private final InstantSource clock;
    private final EventLog events;
    private final SocialRateLimits limits;
    private final LikeStore store = new LikeStore();

    public Likes(Db db, InstantSource clock, EventLog events, SocialRateLimits limits) {
        this.db = db;
        this.clock = clock;
        this.events = events;
        this.limits = limits;
    }

    public void like(Caller caller, PostId post) {
        limits.admitLike(caller);
        try {
            db.useTransaction(tx -> {
                // Truncated to the precision of the database, so that the event has the same time as the row.
                var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
                var result = store.insert(tx, post, caller.user(), now).orElseThrow(SocialProblem::postNotFound);
                requireInserted(result);
                events.append(tx, SocialEvents.like(post, result.owner(), caller.user(), now));
            });
        } catch (DbException e) {
            // The post was deleted concurrently.
            throw SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION) ? SocialProblem.postNotFound() : e;
        }
    }

    public void unlike(Caller caller, PostId post) {
        db.useTransaction(tx -> {
            if (!store.delete(tx, post, caller.user())) {
                throw SocialProblem.notLiked();
            }
        });
    }

    private static void requireInserted(LikeStore.LikeResult result) {
        if (result.blocked()) {
            throw SocialProblem.blocked();
        }
        if (!result.allowed()) {
            throw SocialProblem.likesNotAllowed();
        }
        if (!result.inserted()) {
            throw SocialProblem.alreadyLiked();
        }
    }
}
