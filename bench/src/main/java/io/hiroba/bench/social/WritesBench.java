package io.hiroba.bench.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.Clients;
import io.hiroba.bench.Contest;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.social.Follows;
import io.hiroba.social.Likes;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.SocialRateLimits;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

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
        var events = new EventLog(new CommitSignal());
        var limits = new SocialRateLimits(new Throttle(db, clock), new SocialConfig(0, 0, 0));
        byHand = new WritesByHand(db, lease.ids());
        posts = new Posts(db, lease.ids(), clock, events, limits);
        likes = new Likes(db, clock, events, limits);
        follows = new Follows(db, clock, events, limits, new Users(db, lease.ids(), clock, events));
    }

    void run() {
        new Contest("post, 8 writers", "posts/s")
                .with("the same statements by hand", () -> Clients.rate(WRITERS, n -> byHand.post(person(fresh()))))
                .with(
                        "Posts.create",
                        () -> Clients.rate(
                                WRITERS,
                                n -> posts.create(caller(person(fresh())), PostDraft.of("Hello **square**", "bench"))))
                .run();
        new Contest("like, 8 writers", "likes/s")
                .with(
                        "the same statements by hand",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            byHand.like(newcomer(act), someOf(act, 900_000, SocialData::post));
                        }))
                .with(
                        "Likes.like",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            likes.like(caller(newcomer(act)), new PostId(someOf(act, 900_000, SocialData::post)));
                        }))
                .run();
        new Contest("follow, 8 writers", "follows/s")
                .with(
                        "the same statements by hand",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            byHand.follow(newcomer(act), someOf(act, SocialData.PEOPLE, SocialData::person));
                        }))
                .with(
                        "Follows.follow",
                        () -> Clients.rate(WRITERS, n -> {
                            long act = fresh();
                            follows.follow(
                                    caller(newcomer(act)),
                                    new UserId(someOf(act, SocialData.PEOPLE, SocialData::person)));
                        }))
                .run();
        viral();
    }

    /** Everybody at one post, and the same with a counter that each like must lock until it is committed. */
    private void viral() {
        new Contest("like, 64 at once", "likes/s")
                .with(
                        "each another post",
                        () -> Clients.rate(CROWD, n -> {
                            long act = fresh();
                            likes.like(caller(newcomer(act)), new PostId(someOf(act, 900_000, SocialData::post)));
                        }))
                .with("all the same post", () -> {
                    var post = counted();
                    return Clients.rate(CROWD, n -> likes.like(caller(person(n)), post));
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
        var post = posts.create(caller(person(fresh())), PostDraft.of("viral"))
                .card()
                .id();
        db.useTransaction(tx -> tx.update("INSERT INTO social.post_counts (post_id) VALUES (:post)")
                .bind("post", post.value())
                .execute());
        return post;
    }

    /** One of those who follow and like nothing yet, in turn. */
    private static long newcomer(long act) {
        return SocialData.person(SocialData.PEOPLE + 1 + act % SocialData.NEWCOMERS);
    }

    /** One of {@code size}, and for each newcomer another one every time. */
    private static long someOf(long act, int size, LongUnaryOperator id) {
        return id.applyAsLong(1 + (act + act / SocialData.NEWCOMERS * 37) % size);
    }

    /** Everybody in turn, in an order that spreads them. */
    private static long person(long n) {
        return SocialData.person(1 + Math.floorMod(n * 12_289, SocialData.PEOPLE));
    }

    private static Caller caller(long person) {
        return new Caller(new UserId(person), false, new Caller.ByToken(new TokenId(1)), null);
    }

    @Override
    public void close() {
        lease.close();
        db.close();
    }
}
