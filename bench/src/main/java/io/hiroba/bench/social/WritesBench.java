package io.hiroba.bench.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenId;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.LoadClients;
import io.hiroba.platform.db.Db;
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

/** The benchmark of posting, liking and following, against plain JDBC, and of many likes of one post. */
final class WritesBench implements AutoCloseable {

    private static final int WRITERS = 8;
    private static final int CROWD = 64;

    private final Db db;
    private final WorkerLease lease;
    private final PlainSocialWrites byHand;
    private final Posts posts;
    private final Likes likes;
    private final Follows follows;
    private final AtomicLong next = new AtomicLong();

    WritesBench(BenchDatabase database) {
        var clock = Clock.systemUTC();
        // As many connections as likers, so that they wait for locks only and not for the pool.
        db = Db.open(database.config().withPoolSize(CROWD));
        lease = new WorkerLease(db, clock, Duration.ofSeconds(30));
        var events = new EventLog();
        var limits = new SocialRateLimits(new Throttle(db, clock), new SocialConfig(0, 0, 0));
        byHand = new PlainSocialWrites(db, lease.ids());
        var users = new Users(db, lease.ids(), clock, events);
        posts = new Posts(db, lease.ids(), clock, events, limits, users);
        likes = new Likes(db, clock, events, limits);
        follows = new Follows(db, clock, events, limits, users);
    }

    void run() {
        new InterleavedBenchmark("post, 8 writers", "posts/s")
                .with("the same statements by hand", () -> LoadClients.rate(WRITERS, n -> byHand.post(person(fresh()))))
                .with(
                        "Posts.create",
                        () -> LoadClients.rate(
                                WRITERS,
                                n -> posts.create(caller(person(fresh())), PostDraft.of("Hello **square**", "bench"))))
                .run();
        new InterleavedBenchmark("like, 8 writers", "likes/s")
                .with(
                        "the same statements by hand",
                        () -> LoadClients.rate(WRITERS, n -> {
                            long act = fresh();
                            byHand.like(newcomer(act), someOf(act, 900_000, SocialData::post));
                        }))
                .with(
                        "Likes.like",
                        () -> LoadClients.rate(WRITERS, n -> {
                            long act = fresh();
                            likes.like(caller(newcomer(act)), new PostId(someOf(act, 900_000, SocialData::post)));
                        }))
                .run();
        new InterleavedBenchmark("follow, 8 writers", "follows/s")
                .with(
                        "the same statements by hand",
                        () -> LoadClients.rate(WRITERS, n -> {
                            long act = fresh();
                            byHand.follow(newcomer(act), someOf(act, SocialData.PEOPLE, SocialData::person));
                        }))
                .with(
                        "Follows.follow",
                        () -> LoadClients.rate(WRITERS, n -> {
                            long act = fresh();
                            follows.follow(
                                    caller(newcomer(act)),
                                    new UserId(someOf(act, SocialData.PEOPLE, SocialData::person)));
                        }))
                .run();
        viral();
    }

    /** Likes of one post, and the same with a counter row that each like locks until it commits. */
    private void viral() {
        new InterleavedBenchmark("like, 64 at once", "likes/s")
                .with(
                        "each another post",
                        () -> LoadClients.rate(CROWD, n -> {
                            long act = fresh();
                            likes.like(caller(newcomer(act)), new PostId(someOf(act, 900_000, SocialData::post)));
                        }))
                .with("all the same post", () -> {
                    var post = counted();
                    return LoadClients.rate(CROWD, n -> likes.like(caller(person(n)), post));
                })
                .with("all the same post, its counter locked by each", () -> {
                    var post = counted();
                    return LoadClients.rate(CROWD, n -> byHand.likeLockingTheCount(person(n), post.value()));
                })
                .run();
    }

    /** A unique number, so that nobody likes or follows twice. */
    private long fresh() {
        return next.incrementAndGet();
    }

    /** A new post whose counter row exists, as it does a second after the first like. */
    private PostId counted() {
        var post = posts.create(caller(person(fresh())), PostDraft.of("viral"))
                .card()
                .id();
        db.useTransaction(tx -> tx.update("INSERT INTO social.post_counts (post_id) VALUES (:post)")
                .bind("post", post.value())
                .execute());
        return post;
    }

    /** The next of the new users. */
    private static long newcomer(long act) {
        return SocialData.person(SocialData.PEOPLE + 1 + act % SocialData.NEWCOMERS);
    }

    /** One of {@code size}, different each time for each new user. */
    private static long someOf(long act, int size, LongUnaryOperator id) {
        return id.applyAsLong(1 + (act + act / SocialData.NEWCOMERS * 37) % size);
    }

    /** All users in turn, in a scattered order. */
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
