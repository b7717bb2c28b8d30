package io.hiroba.bench.social;

import io.hiroba.accounts.UserId;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.LoadClients;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Position;
import io.hiroba.social.PostCardStore;
import io.hiroba.social.PostListStore;
import java.util.List;

/** The benchmark of the home feed of readers with few and many, active and silent followees, against other plans. */
final class FeedBench {

    private static final int LIMIT = 21;

    /** A reader with a label of their followees. */
    private record Reader(String name, long id) {}

    private static final List<Reader> READERS = List.of(
            new Reader("10 quiet", SocialData.person(3)),
            new Reader("500", SocialData.person(2)),
            new Reader("5,000", SocialData.person(1)),
            new Reader("5,000 silent", SocialData.person(4)));

    private final Db db;

    FeedBench(Db db) {
        this.db = db;
    }

    void run() {
        for (var reader : READERS) {
            measure(reader, "page 1", Position.NEWEST.key());
            measure(reader, "page 50", fiftiethPage(reader));
        }
        hits(READERS.get(2));
        hits(READERS.get(3));
    }

    /** The plans without the cards, whose cost is the same for all. */
    private void hits(Reader reader) {
        long after = Position.NEWEST.key();
        new InterleavedBenchmark(
                        "home feed at the facade, followees: %s, the hits alone".formatted(reader.name()), "pages/s")
                .inThreeRounds()
                .with(
                        "newest of each followee, then the top ones' posts",
                        () -> LoadClients.rate(2, n -> ids(FeedPlans.hits(FeedPlans.TWO_LEVELS), reader, after)))
                .with(
                        "timelines",
                        () -> LoadClients.rate(2, n -> ids(FeedPlans.hits(PostListStore.FEED), reader, after)))
                .run();
    }

    private int ids(String sql, Reader reader, long after) {
        return db.read(reads -> PostCardStore.query(reads, sql, new UserId(reader.id()))
                .bind("after", after)
                .bind("limit", LIMIT)
                .mapTo(Long.class)
                .list()
                .size());
    }

    private void measure(Reader reader, String page, long after) {
        new InterleavedBenchmark("home feed at the facade, followees: %s, %s".formatted(reader.name(), page), "pages/s")
                .inThreeRounds()
                .with(
                        "newest of each followee, then the top ones' posts",
                        () -> rate(FeedPlans.TWO_LEVELS, reader, after))
                .with("newest 21 of each followee, merged", () -> rate(FeedPlans.LATERAL, reader, after))
                .with("walk along everybody's newest", () -> rate(FeedPlans.WALK, reader, after))
                .with("timelines", () -> rate(PostListStore.FEED, reader, after))
                .run();
    }

    /** Each plan warms up first: the scan of a million posts evicts the pages of the others from the caches. */
    private double rate(String sql, Reader reader, long after) {
        LoadClients.rate(2, 0.5, n -> page(sql, reader, after));
        return LoadClients.rate(2, n -> page(sql, reader, after));
    }

    private int page(String sql, Reader reader, long after) {
        return db.read(reads -> PostCardStore.list(PostCardStore.query(reads, sql, new UserId(reader.id()))
                        .bind("after", after)
                        .bind("limit", LIMIT))
                .size());
    }

    /** The position at which the 50th page starts. */
    private long fiftiethPage(Reader reader) {
        return db.read(reads ->
                reads.query("""
                        WITH feed AS MATERIALIZED (
                            SELECT p.id FROM social.posts p
                            WHERE p.reply_to IS NULL
                              AND (p.owned_by = :reader
                                   OR p.owned_by IN (SELECT followee_id FROM social.user_follows
                                                     WHERE follower_id = :reader)))
                        SELECT id FROM feed
                        ORDER BY id DESC OFFSET (SELECT least(978, count(*) / 2) FROM feed) LIMIT 1
                        """).bind("reader", reader.id()).mapTo(Long.class).one());
    }
}
