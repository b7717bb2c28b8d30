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
 * Two servers over one database, people who follow, like, reply, post, block, leave and take back, and havoc; in the end
 * every activity card is held against the source tables.
 */
final class ActivityChaos implements Run {

    static final String CONSUMER = "cards";

    private static final int SERVERS = 2;
    private static final int CELEBRITIES = 3;
    private static final int FANS = 20;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final Plan plan;
    private final Consumer<String> out;
    private final SplittableRandom random;
    private final Tally tally = new Tally();
    private final Http http = new Http();
    private final Ground ground = Ground.create();
    private final List<Node> nodes = IntStream.rangeClosed(1, SERVERS)
            .mapToObj(n -> Node.server(ground, "node" + n))
            .toList();

    ActivityChaos(Plan plan, Consumer<String> out) {
        this.plan = plan;
        this.out = out;
        this.random = new SplittableRandom(plan.seed());
    }

    Tally tally() {
        return tally;
    }

    Ground ground() {
        return ground;
    }

    Comparison run() {
        out.accept("seed " + plan.seed());
        nodes.forEach(Node::start);
        Havoc.awaitAll(nodes);
        var midnight = Instant.now().plus(plan.duration().dividedBy(2)).plusSeconds(5);
        rage(board(people(midnight)));
        out.accept("· the havoc is over; waiting for what is left to be handled");
        var end = ground.now();
        Patience.until(TIMEOUT, () -> !ground.isAtWorkSince(end), () -> "a transaction of the havoc does not end");
        var comparison = new AtomicReference<Optional<Comparison>>(Optional.empty());
        Patience.until(
                TIMEOUT,
                () -> {
                    comparison.set(settled());
                    return comparison.get().isPresent();
                },
                () -> "events are not handled, and nothing happens");
        return comparison.get().orElseThrow();
    }

    /** The comparison once everything is handled, all in one snapshot: a request may still come to an end meanwhile. */
    private Optional<Comparison> settled() {
        try (var handle = ground.open()) {
            return handle.inTransaction(
                    TransactionIsolationLevel.REPEATABLE_READ,
                    tx -> Ground.waiting(tx, CONSUMER) == 0
                            ? Optional.of(Comparison.of(tx, Node.ZONE))
                            : Optional.empty());
        }
    }

    private List<Person> people(Instant midnight) {
        try (var handle = ground.open()) {
            return handle.inTransaction(tx -> Person.make(tx, plan.people(), midnight, random.split()));
        }
    }

    /** Celebrities with two posts each, whose replies a third of the people follow; one has fans from the beginning. */
    private Board board(List<Person> people) {
        var celebrities = people.subList(0, CELEBRITIES);
        var famous = new ArrayList<String>();
        for (var celebrity : celebrities) {
            famous.add(post(celebrity));
            famous.add(post(celebrity));
        }
        people.subList(CELEBRITIES, CELEBRITIES + FANS)
                .forEach(fan -> require(fan, "/api/v1/posts/" + famous.getFirst() + "/like", ""));
        try (var handle = ground.open()) {
            handle.createUpdate("""
                            INSERT INTO activity.followed_posts (user_id, post_id, owner_id)
                            SELECT u.id, p.id, p.owned_by
                            FROM social.posts p
                            JOIN accounts.users u ON u.id <> p.owned_by AND NOT u.is_admin AND (u.id >> 20) / 1000 % 3 = 0
                            """).execute();
        }
        return new Board(people, celebrities, famous);
    }

    private String post(Person author) {
        var made = require(author, "/api/v1/posts", Json.text(Map.of("content", "I am famous")));
        return JsonMapper.shared().readTree(made).path("id").asString();
    }

    private String require(Person by, String path, String json) {
        var reply = http.send(nodes.getFirst().address().orElseThrow(), by, "POST", path, json);
        if (!reply.isDone()) {
            throw new IllegalStateException(path + " was answered with " + reply);
        }
        return reply.body();
    }

    @SuppressWarnings("try") // both do their work by being open
    private void rage(Board board) {
        try (var havoc = new Havoc(ground, nodes, tally, random.split(), plan.longestFreeze());
                var crowd = new Crowd(plan.clients(), over -> new Client(nodes, board, tally, random.split(), over))) {
            Countdown.tell(plan.duration(), out, tally::toString);
        }
    }

    /** Kills the servers and removes the database; from another thread, it ends the run. */
    @Override
    public void close() {
        try {
            nodes.forEach(Node::close);
        } finally {
            ground.close();
        }
    }
}
