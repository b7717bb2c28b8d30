package io.hiroba.bench.social;

import io.hiroba.accounts.UserId;
import io.hiroba.bench.Clients;
import io.hiroba.bench.Contest;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Position;
import io.hiroba.social.PostFilter;
import io.hiroba.social.PostLists;
import java.util.function.Consumer;

/** The cost of a page with ten times as many posts: two squares on two databases, asked in turns. */
final class GrowthBench {

    private static final int LIMIT = 21;

    /** As many as one person wrote or liked in the small square: a page must be the same in both. */
    private static final int OF_ONE = 3;

    private static final UserId READER = new UserId(SocialData.person(1));
    private static final UserId OWNER = new UserId(SocialData.person(2));

    private final PostLists small;
    private final PostLists large;

    GrowthBench(Db small, Db large) {
        this.small = new PostLists(small);
        this.large = new PostLists(large);
    }

    void run() {
        contest("newest", lists -> lists.list(READER, PostFilter.NEWEST, Position.NEWEST, LIMIT));
        contest("by owner, 3 posts", lists -> lists.list(READER, PostFilter.ownedBy(OWNER), Position.NEWEST, OF_ONE));
        contest("by tag", lists -> lists.list(READER, PostFilter.tagged("t3"), Position.NEWEST, LIMIT));
        contest("liked, 3 posts", lists -> lists.likedBy(READER, OWNER, Position.NEWEST, OF_ONE));
        contest("home feed", lists -> lists.feed(READER, Position.NEWEST, LIMIT));
    }

    private void contest(String name, Consumer<PostLists> page) {
        new Contest("growth: " + name, "pages/s")
                .with("100,000 posts", () -> Clients.rate(2, n -> page.accept(small)))
                .with("1,000,000 posts", () -> Clients.rate(2, n -> page.accept(large)))
                .run();
    }
}
