package io.hiroba.bench.social;

import io.hiroba.App;
import io.hiroba.accounts.UserId;
import io.hiroba.bench.BenchDatabase;
import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.LoadClients;
import io.hiroba.bench.RawHttp;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.PeopleLists;
import io.hiroba.social.PeopleStore;
import io.hiroba.social.Position;
import io.hiroba.social.PostFilter;
import io.hiroba.social.PostFilter.Order;
import io.hiroba.social.PostId;
import io.hiroba.social.PostListStore;
import io.hiroba.social.PostLists;
import io.hiroba.social.TimelineWindows;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The benchmark of each list at the facade and over HTTP, against its statement in pgbench. */
final class ListsBench {

    private static final int CLIENTS = 8;
    private static final int LIMIT = 21;
    private static final int WARM_UP = 8;
    private static final UserId READER = new UserId(SocialData.person(1));
    private static final UserId OWNER = new UserId(SocialData.person(2));
    private static final PostId MUCH_ANSWERED = new PostId(SocialData.post(50_049));
    private static final String TOKEN = "hrb_" + "b".repeat(43);

    private final BenchDatabase database;
    private final PostLists lists;
    private final PeopleLists people;

    /** A list at the facade, over HTTP and as a statement. */
    private record ListCase(String name, String sql, Map<String, ?> parameters, Runnable facade, String path) {}

    ListsBench(BenchDatabase database) {
        this.database = database;
        this.lists = new PostLists(database.db(), new TimelineWindows(database.db(), Clock.systemUTC()));
        this.people = new PeopleLists(database.db());
    }

    void run() {
        token();
        try (var app = database.serve()) {
            warmUp(app);
            for (var listCase : listCases()) {
                measure(app, listCase);
            }
        }
    }

    private void token() {
        database.db()
                .useTransaction(tx -> tx.update("""
                        INSERT INTO accounts.api_tokens (id, user_id, name, secret_hash)
                        VALUES (1, :reader, 'bench', sha256(convert_to(:token, 'UTF8')))
                        """)
                        .bind("reader", READER.value())
                        .bind("token", TOKEN)
                        .execute());
    }

    /** Lets the JIT compile everything before the measurement. */
    private void warmUp(App app) {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            for (var listCase : listCases()) {
                LoadClients.rate(CLIENTS, n -> listCase.facade().run());
                overHttp(app, listCase.path());
            }
        }
    }

    private void measure(App app, ListCase listCase) {
        var pgbench = new Pgbench(database);
        new InterleavedBenchmark("list: " + listCase.name(), "pages/s")
                .inThreeRounds()
                .with("pgbench", () -> pgbench.rate(CLIENTS, listCase.sql(), listCase.parameters()))
                .with(
                        "facade",
                        () -> LoadClients.rate(CLIENTS, n -> listCase.facade().run()))
                .with("HTTP", () -> overHttp(app, listCase.path()))
                .run();
    }

    private static double overHttp(App app, String path) {
        var connections = new ConcurrentLinkedQueue<RawHttp>();
        for (int client = 0; client < CLIENTS; client++) {
            connections.add(new RawHttp(app.address(), TOKEN));
        }
        try {
            return LoadClients.rate(CLIENTS, n -> {
                var connection = connections.remove();
                connection.get(path);
                connections.add(connection);
            });
        } finally {
            connections.forEach(RawHttp::close);
        }
    }

    private List<ListCase> listCases() {
        var newest = PostFilter.NEWEST;
        var byOwner = PostFilter.ownedBy(OWNER);
        var replies = PostFilter.repliesTo(MUCH_ANSWERED).inOrder(Order.NEWEST_FIRST);
        var tagged = PostFilter.tagged("t3");
        return List.of(
                posts("newest", newest, Map.of(), "/api/v1/posts"),
                posts("by owner", byOwner, Map.of("ownedBy", OWNER.value()), "/api/v1/posts?ownedBy=" + OWNER),
                posts(
                        "replies",
                        replies,
                        Map.of("replyTo", MUCH_ANSWERED.value()),
                        "/api/v1/posts?replyTo=" + MUCH_ANSWERED),
                posts("by tag", tagged, Map.of("tag", "t3"), "/api/v1/posts?tag=t3"),
                new ListCase(
                        "liked",
                        PostListStore.LIKED.replace(":time", "CAST(:time AS timestamptz)"),
                        parameters(Map.of("liker", OWNER.value(), "time", "9999-01-01")),
                        () -> lists.likedBy(READER, OWNER, Position.NEWEST, LIMIT),
                        "/api/v1/users/" + OWNER + "/liked-posts"),
                new ListCase(
                        "home feed",
                        PostListStore.FEED,
                        parameters(Map.of()),
                        () -> lists.feed(READER, Position.NEWEST, LIMIT),
                        "/api/v1/feed"),
                new ListCase(
                        "followers",
                        PeopleStore.FOLLOWERS.replace(":time", "CAST(:time AS timestamptz)"),
                        parameters(Map.of("of", SocialData.person(8), "time", "9999-01-01")),
                        () -> people.followers(READER, new UserId(SocialData.person(8)), Position.NEWEST, LIMIT),
                        "/api/v1/users/" + Ids.hex(SocialData.person(8)) + "/followers"));
    }

    private ListCase posts(String name, PostFilter filter, Map<String, ?> more, String path) {
        return new ListCase(
                name,
                PostListStore.sql(filter),
                parameters(more),
                () -> lists.list(READER, filter, Position.NEWEST, LIMIT),
                path);
    }

    private static Map<String, ?> parameters(Map<String, ?> more) {
        var all = new HashMap<String, Object>(more);
        all.put("viewer", READER.value());
        all.put("after", Long.MAX_VALUE);
        all.put("limit", LIMIT);
        return all;
    }
}
