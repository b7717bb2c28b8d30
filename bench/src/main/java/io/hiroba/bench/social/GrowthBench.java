package io.hiroba.bench.social;

import io.hiroba.accounts.UserId;
import io.hiroba.bench.Clients;
import io.hiroba.bench.Contest.Result;
import io.hiroba.platform.db.Db;
import io.hiroba.social.Position;
import io.hiroba.social.feed.PostFilter;
import io.hiroba.social.feed.PostLists;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a page costs with ten times as many posts. */
final class GrowthBench {

    private static final int LIMIT = 21;

    /** As many as one person wrote or liked in the small square: a page must be the same in both. */
    private static final int OF_ONE = 3;

    private static final int WARM_UP = 4;
    private static final int ROUNDS = 5;
    private static final UserId READER = new UserId(SocialData.person(1));
    private static final UserId OWNER = new UserId(SocialData.person(2));

    private final Map<String, Runnable> pages = new LinkedHashMap<>();
    private final Map<String, Double> before = new LinkedHashMap<>();

    GrowthBench(Db db) {
        var lists = new PostLists(db);
        pages.put("newest", () -> lists.list(READER, PostFilter.NEWEST, Position.NEWEST, LIMIT));
        pages.put("by owner, 3 posts", () -> lists.list(READER, PostFilter.ownedBy(OWNER), Position.NEWEST, OF_ONE));
        pages.put("by tag", () -> lists.list(READER, PostFilter.tagged("t3"), Position.NEWEST, LIMIT));
        pages.put("liked, 3 posts", () -> lists.likedBy(READER, OWNER, Position.NEWEST, OF_ONE));
        pages.put("home feed", () -> lists.feed(READER, Position.NEWEST, LIMIT));
    }

    /** Measures the small square; its rates are the limit of what {@link #large} reports. */
    void small() {
        for (int round = 0; round < WARM_UP; round++) {
            pages.forEach((name, page) -> Clients.rate(2, n -> page.run()));
        }
        pages.forEach((name, page) -> before.put(name, median(page)));
    }

    void large() {
        pages.forEach((name, page) -> {
            var work = "growth: " + name;
            double small = before.getOrDefault(name, 0.0);
            double large = median(page);
            new Result(work, "100,000 posts", small, "pages/s", 1).print();
            new Result(work, "1,000,000 posts", large, "pages/s", large / small).print();
        });
    }

    private static double median(Runnable page) {
        var rates = new ArrayList<Double>();
        Clients.rate(2, n -> page.run());
        for (int round = 0; round < ROUNDS; round++) {
            rates.add(Clients.rate(2, n -> page.run()));
        }
        return rates.stream().sorted().toList().get(ROUNDS / 2);
    }
}
