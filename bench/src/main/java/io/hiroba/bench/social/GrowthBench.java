package io.hiroba.bench.social;

import io.hiroba.accounts.UserId;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.LoadClients;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Position;
import io.hiroba.social.PostFilter;
import io.hiroba.social.PostLists;
import io.hiroba.social.TimelineWindows;
import java.time.Clock;
import java.util.function.Consumer;

/** The benchmark of pages with ten times as many posts: two databases, queried in turns. */
final class GrowthBench {

    private static final int LIMIT = 21;

    /** The number of posts that one user wrote or liked in the small database: a page must be the same in both. */
    private static final int OF_ONE = 3;

    private static final UserId READER = new UserId(SocialData.person(1));
    private static final UserId OWNER = new UserId(SocialData.person(2));

    private final PostLists small;
    private final PostLists large;

    GrowthBench(Db small, Db large) {
        this.small = new PostLists(small, new TimelineWindows(small, Clock.systemUTC()));
        this.large = new PostLists(large, new TimelineWindows(large, Clock.systemUTC()));
    }

    void run() {
        measure("newest", lists -> lists.list(READER, PostFilter.NEWEST, Position.NEWEST, LIMIT));
        measure("by owner, 3 posts", lists -> lists.list(READER, PostFilter.ownedBy(OWNER), Position.NEWEST, OF_ONE));
        measure("by tag", lists -> lists.list(READER, PostFilter.tagged("t3"), Position.NEWEST, LIMIT));
        measure("liked, 3 posts", lists -> lists.likedBy(READER, OWNER, Position.NEWEST, OF_ONE));
        measure("home feed", lists -> lists.feed(READER, Position.NEWEST, LIMIT));
    }

    private void measure(String name, Consumer<PostLists> page) {
        new InterleavedBenchmark("growth: " + name, "pages/s")
                .with("100,000 posts", () -> LoadClients.rate(2, n -> page.accept(small)))
                .with("1,000,000 posts", () -> LoadClients.rate(2, n -> page.accept(large)))
                .run();
    }
}
