package io.hiroba.bench.social;

import io.hiroba.accounts.UserId;
import io.hiroba.bench.Clients;
import io.hiroba.bench.Contest;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Position;
import io.hiroba.social.PostCardStore;
import io.hiroba.social.PostListStore;
import java.util.List;

/** The home feed of readers with few and many, active and silent followees, against other plans for the same page. */
final class FeedBench {

    private static final int LIMIT = 21;

    /** A reader, and a name for whom they follow. */
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
            contest(reader, "page 1", Position.NEWEST.key());
            contest(reader, "page 50", fiftiethPage(reader));
        }
        hits(READERS.get(2));
        hits(READERS.get(3));
    }

    /** Without the cards, which cost the same whatever finds the posts. */
    private void hits(Reader reader) {
        long after = Position.NEWEST.key();
        new Contest("home feed, followees: %s, the hits alone".formatted(reader.name()), "pages/s")
                .inThreeRounds()
                .with(
                        "newest of each followee, then the top ones' posts",
                        () -> Clients.rate(2, n -> ids(FeedPlans.hits(FeedPlans.TWO_LEVELS), reader, after)))
                .with("timelines", () -> Clients.rate(2, n -> ids(FeedPlans.hits(PostListStore.FEED), reader, after)))
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

    private void contest(Reader reader, String page, long after) {
        new Contest("home feed, followees: %s, %s".formatted(reader.name(), page), "pages/s")
                .inThreeRounds()
                .with(
                        "newest of each followee, then the top ones' posts",
                        () -> rate(FeedPlans.TWO_LEVELS, reader, after))
                .with("newest 21 of each followee, merged", () -> rate(FeedPlans.LATERAL, reader, after))
                .with("walk along everybody's newest", () -> rate(FeedPlans.WALK, reader, after))
                .with("timelines", () -> rate(PostListStore.FEED, reader, after))
                .run();
    }

    /** The walk passes a million posts and leaves nobody else's pages in the caches, so each has a moment to begin. */
    private double rate(String sql, Reader reader, long after) {
        Clients.rate(2, 0.5, n -> page(sql, reader, after));
        return Clients.rate(2, n -> page(sql, reader, after));
    }

    private int page(String sql, Reader reader, long after) {
        return db.read(reads -> PostCardStore.list(PostCardStore.query(reads, sql, new UserId(reader.id()))
                        .bind("after", after)
                        .bind("limit", LIMIT))
                .size());
    }

    /** Where the 50th page begins. */
    private long fiftiethPage(Reader reader) {
        return db.read(reads ->
                reads.query("""
                        SELECT post_id FROM social.timelines WHERE user_id = :reader
                        ORDER BY post_id DESC OFFSET (SELECT least(980, count(*) / 2) FROM social.timelines
                                                      WHERE user_id = :reader) LIMIT 1
                        """).bind("reader", reader.id()).mapTo(Long.class).one());
    }
}
