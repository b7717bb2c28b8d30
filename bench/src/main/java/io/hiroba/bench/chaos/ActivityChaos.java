package io.hiroba.bench.chaos;

import io.hiroba.platform.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import tools.jackson.databind.json.JsonMapper;

/**
 * The chaos test of activity cards: two servers over one database, clients that follow, like, reply, post, block, undo and
 * delete accounts, and a nemesis. Every activity card is then compared with the source tables.
 */
final class ActivityChaos implements ChaosRun {

    static final String CONSUMER = "cards";

    private static final int SERVERS = 2;
    private static final int CELEBRITIES = 3;
    private static final int FANS = 20;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final ChaosSettings settings;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final RunCounters counters = new RunCounters();
    private final ChaosHttpClient http = new ChaosHttpClient();
    private final ChaosDatabase database = ChaosDatabase.create();
    private final List<NodeProcess> nodes = IntStream.rangeClosed(1, SERVERS)
            .mapToObj(n -> NodeProcess.server(database, "node" + n))
            .toList();

    ActivityChaos(ChaosSettings settings, Consumer<String> out) {
        this.settings = settings;
        this.out = out;
        this.random = new SplittableRandom(settings.seed());
    }

    RunCounters counters() {
        return counters;
    }

    ChaosDatabase database() {
        return database;
    }

    CardComparison run() {
        out.accept("seed " + settings.seed());
        nodes.forEach(NodeProcess::start);
        Nemesis.awaitAll(nodes);
        var midnight = Instant.now().plus(settings.duration().dividedBy(2)).plusSeconds(5);
        runWorkload(state(users(midnight)));
        out.accept("· faults stopped; waiting for the pending events");
        var end = database.now();
        Await.until(
                TIMEOUT,
                () -> !database.hasTransactionsSince(end),
                () -> "a transaction from before the end does not finish");
        var comparison = new AtomicReference<Optional<CardComparison>>(Optional.empty());
        Await.until(
                TIMEOUT,
                () -> {
                    comparison.set(settled());
                    return comparison.get().isPresent();
                },
                () -> "events stay unhandled");
        return comparison.get().orElseThrow();
    }

    /** Compares in one snapshot, once all events are handled: a late request may still commit in between. */
    private Optional<CardComparison> settled() {
        try (var handle = database.open()) {
            return handle.inTransaction(
                    TransactionIsolationLevel.REPEATABLE_READ,
                    tx -> ChaosDatabase.waiting(tx, CONSUMER) == 0
                            ? Optional.of(CardComparison.of(tx, NodeProcess.ZONE))
                            : Optional.empty());
        }
    }

    private List<ChaosUser> users(Instant midnight) {
        try (var handle = database.open()) {
            return handle.inTransaction(tx -> ChaosUser.create(tx, settings.users(), midnight, random.split()));
        }
    }

    /** Creates celebrities with two posts each; a third of the users follow the replies, and one post starts with likes. */
    private SocialState state(List<ChaosUser> users) {
        var celebrities = users.subList(0, CELEBRITIES);
        var popularPosts = new ArrayList<String>();
        for (var celebrity : celebrities) {
            popularPosts.add(post(celebrity));
            popularPosts.add(post(celebrity));
        }
        users.subList(CELEBRITIES, CELEBRITIES + FANS)
                .forEach(fan -> require(fan, "/api/v1/posts/" + popularPosts.getFirst() + "/like", ""));
        try (var handle = database.open()) {
            handle.createUpdate("""
                            INSERT INTO activity.followed_posts (user_id, post_id, owner_id)
                            SELECT u.id, p.id, p.owned_by
                            FROM social.posts p
                            JOIN accounts.users u ON u.id <> p.owned_by AND NOT u.is_admin AND (u.id >> 20) / 1000 % 3 = 0
                            """).execute();
        }
        return new SocialState(users, celebrities, popularPosts);
    }

    private String post(ChaosUser author) {
        var created = require(author, "/api/v1/posts", Json.text(Map.of("content", "I am famous")));
        return JsonMapper.shared().readTree(created).path("id").asString();
    }

    private String require(ChaosUser by, String path, String json) {
        var reply = http.send(nodes.getFirst().address().orElseThrow(), by, "POST", path, json);
        if (!reply.isDone()) {
            throw new IllegalStateException(path + " was answered with " + reply);
        }
        return reply.body();
    }

    @SuppressWarnings("try") // both work until closed
    private void runWorkload(SocialState state) {
        try (var nemesis = new Nemesis(database, nodes, counters, random.split(), settings.maxFreeze());
                var crowd = new ClientThreads(
                        settings.clients(),
                        stopped -> new SocialClient(nodes, state, counters, random.split(), stopped))) {
            ProgressReporter.writeLine(settings.duration(), out, counters::toString);
        }
    }

    /** Kills the servers and removes the database. Called from another thread, it aborts the run. */
    @Override
    public void close() {
        try {
            nodes.forEach(NodeProcess::close);
        } finally {
            database.close();
        }
    }
}
