package io.hiroba.bench.chaos;

import io.hiroba.bench.chaos.Http.Reply;
import io.hiroba.platform.http.Json;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.json.JsonMapper;

/** Does one thing after another on behalf of anybody, at any server, and takes some of it back later. */
final class Client implements Runnable {

    private static final Duration NOBODY_ANSWERS = Duration.ofMillis(50);
    private static final int REMEMBERED = 150;

    private final List<Node> nodes;
    private final Board board;
    private final Tally tally;
    private final SplittableRandom random;
    private final BooleanSupplier over;
    private final Http http = new Http();
    private final List<Withdrawal> remembered = new ArrayList<>();

    /** The request that undoes an act. */
    private record Withdrawal(Person by, String path) {}

    Client(List<Node> nodes, Board board, Tally tally, SplittableRandom random, BooleanSupplier over) {
        this.nodes = nodes;
        this.board = board;
        this.tally = tally;
        this.random = random;
        this.over = over;
    }

    @Override
    public void run() {
        while (!over.getAsBoolean()) {
            var node = node();
            if (node.isEmpty()) {
                LockSupport.parkNanos(NOBODY_ANSWERS.toNanos());
            } else if (!remembered.isEmpty() && random.nextInt(100) < 35) {
                takeBack(node.get());
            } else {
                act(node.get());
            }
        }
    }

    private Optional<URI> node() {
        return nodes.get(random.nextInt(nodes.size())).address();
    }

    private void takeBack(URI node) {
        var withdrawal = remembered.remove(random.nextInt(remembered.size()));
        send(node, withdrawal.by(), "DELETE", withdrawal.path(), "");
    }

    private void act(URI node) {
        var person = board.anybody(random);
        int dice = random.nextInt(1000);
        if (dice < 250) {
            like(node, person, board.famousPost(random));
        } else if (dice < 500) {
            like(node, person, board.anyPost(random));
        } else if (dice < 700) {
            follow(node, person, random.nextInt(3) == 0 ? board.celebrity(random) : board.anybody(random));
        } else if (dice < 800) {
            reply(node, person, board.famousPost(random));
        } else if (dice < 900) {
            reply(node, person, board.anyPost(random));
        } else if (dice < 985) {
            post(node, person, Map.of("content", "A post of mine"));
        } else if (dice < 997) {
            block(node, person, board.anybody(random));
        } else if (board.admitDeparture(person)) {
            send(node, person, "DELETE", "/api/v1/users/" + person.hex(), "");
        }
    }

    private void like(URI node, Person person, String post) {
        var path = "/api/v1/posts/" + post + "/like";
        var reply = send(node, person, "POST", path, "");
        if (reply.status() == 404) {
            board.remove(post);
        } else if (reply.status() == 409 && random.nextBoolean()) {
            // Everybody likes what is famous; they change their minds as often.
            send(node, person, "DELETE", path, "");
        } else {
            remember(reply, new Withdrawal(person, path));
        }
    }

    private void follow(URI node, Person person, Person other) {
        var path = "/api/v1/users/" + other.hex() + "/follow";
        remember(send(node, person, "POST", path, ""), new Withdrawal(person, path));
    }

    private void reply(URI node, Person person, String to) {
        post(node, person, Map.of("content", "A reply of mine", "replyTo", to));
    }

    private void post(URI node, Person person, Map<String, String> draft) {
        var reply = send(node, person, "POST", "/api/v1/posts", Json.text(draft));
        if (reply.isDone()) {
            var post = JsonMapper.shared().readTree(reply.body()).path("id").asString();
            board.add(post);
            remember(reply, new Withdrawal(person, "/api/v1/posts/" + post));
        }
    }

    private void block(URI node, Person person, Person other) {
        if (!person.equals(other) && board.admitBlock()) {
            send(node, person, "POST", "/api/v1/users/" + other.hex() + "/block", "");
        }
    }

    /** What may have been done may be taken back. */
    private void remember(Reply reply, Withdrawal withdrawal) {
        if (reply.isDone() || reply.isUnknown()) {
            remembered.add(withdrawal);
            if (remembered.size() > REMEMBERED) {
                remembered.removeFirst();
            }
        }
    }

    private Reply send(URI node, Person by, String method, String path, String json) {
        var reply = http.send(node, by, method, path, json);
        var counter = reply.isUnknown() ? tally.unknown : reply.isDone() ? tally.done : tally.refused;
        counter.incrementAndGet();
        return reply;
    }
}
