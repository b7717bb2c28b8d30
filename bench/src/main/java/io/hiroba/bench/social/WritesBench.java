package io.hiroba.bench.social;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.Contest;
import io.hiroba.bench.Contest.Result;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.Bell;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.social.ActLimits;
import io.hiroba.social.Likes;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.follow.Follows;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Posting, liking and following, against their own statements in plain JDBC; and many likes for one post. */
final class WritesBench implements AutoCloseable {

    private static final int WRITERS = 8;
    private static final int CROWD = 64;

    private final Db db;
    private final WorkerLease lease;
    private final WritesByHand byHand;
    private final Posts posts;
    private final Likes likes;
    private final Follows follows;
    private final AtomicLong next = new AtomicLong();

    WritesBench(BenchDatabase database) {
        var clock = Clock.systemUTC();
        // As many connections as there are likers: they shall wait for one another, if at all, in the database.
        db = Db.open(database.config().withPoolSize(CROWD));
        lease = new WorkerLease(db, clock, Duration.ofSeconds(30));
        var events = new EventLog(new Bell());
        var limits = new ActLimits(new Throttle(db, clock), new SocialConfig(0, 0, 0));
        byHand = new WritesByHand(db, lease.ids());
        posts = new Posts(db, lease.ids(), clock, events, limits);
        likes = new Likes(db, clock, events, limits);
        follows = new Follows(
                db, clock, events, limits, new Users(db, lease.ids(), clock, events, new AuditLog(db, lease.ids())));
    }

    List<Result> run() {
        var results = new ArrayList<Result>();
        results.addAll(new Contest("post, 8 writers", "posts/s")
                .with("the same statements by hand", () -> Clients.rate(WRITERS, n -> byHand.post(person(fresh()))))
                .with(
                        "Posts.create",
                        () -> Clients.rate(
                                WRITERS, n -> posts.create(caller(fresh()), PostDraft.of("Hello **square**", "bench"))))
                .run());
        results.addAll(new Contest("like, 8 writers", "likes/s")
                .with(
                        "the same statements by hand",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            byHand.like(person(act), SocialData.post(1 + act % 90_000));
                        }))
                .with(
                        "Likes.like",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            likes.like(caller(act), new PostId(SocialData.post(1 + act % 90_000)));
                        }))
                .run());
        results.addAll(new Contest("follow, 8 writers", "follows/s")
                .with(
                        "the same statements by hand",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            byHand.follow(person(act), stranger(act));
                        }))
                .with(
                        "Follows.follow",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            follows.follow(caller(act), new UserId(stranger(act)));
                        }))
                .run());
        results.addAll(viral());
        return results;
    }

    /** Everybody at one post, and the same with a counter that each like must lock until it is committed. */
    private List<Result> viral() {
        return new Contest("like, 64 at once", "likes/s")
                .with(
                        "each another post",
                        () -> Clients.rate(CROWD, n -> {
                            long act = fresh();
                            likes.like(caller(act), new PostId(SocialData.post(1 + act % 90_000)));
                        }))
                .with("all the same post", () -> {
                    var post = counted();
                    return Clients.rate(CROWD, n -> likes.like(caller(n), post));
                })
                .with("all the same post, its counter locked by each", () -> {
                    var post = counted();
                    return Clients.rate(CROWD, n -> byHand.likeLockingTheCount(person(n), post.value()));
                })
                .run();
    }

    /** A number that no act has had, so that nobody likes or follows twice. */
    private long fresh() {
        return next.incrementAndGet();
    }

    /** A new post whose counter is there already, as it is a second after the first like. */
    private PostId counted() {
        var post = posts.create(caller(fresh()), PostDraft.of("viral")).card().id();
        db.useTransaction(tx -> tx.update("INSERT INTO social.post_counts (post_id) VALUES (:post)")
                .bind("post", post.value())
                .execute());
        return post;
    }

    /** Somebody whom {@link #person} of that number does not follow yet, for the first 900 million numbers. */
    private static long stranger(long n) {
        return SocialData.person(1 + Math.floorMod(n * 12_289 + 10_007 + n / SocialData.PEOPLE, SocialData.PEOPLE));
    }

    /** Everybody in turn, in an order that spreads them. */
    private static long person(long n) {
        return SocialData.person(1 + Math.floorMod(n * 12_289, SocialData.PEOPLE));
    }

    private static Caller caller(long n) {
        return new Caller(new UserId(person(n)), false, new Caller.ByToken(new TokenId(1)), null);
    }

    @Override
    public void close() {
        lease.close();
        db.close();
    }
}
