package io.hiroba.bench.chaos;

import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
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

/** A client that performs random actions of random users at random servers, and undoes some of them later. */
final class SocialClient implements Runnable {

    private static final Duration RETRY_INTERVAL = Duration.ofMillis(50);
    private static final int MAX_PENDING_UNDOS = 150;

    private final List<NodeProcess> nodes;
    private final SocialState state;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final BooleanSupplier stopped;
    private final ChaosHttpClient http = new ChaosHttpClient();
    private final List<Undo> pendingUndos = new ArrayList<>();

    /** A request that undoes an action. */
    private record Undo(ChaosUser by, String path) {}

    SocialClient(
            List<NodeProcess> nodes,
            SocialState state,
            RunCounters counters,
            SplittableRandom random,
            BooleanSupplier stopped) {
        this.nodes = nodes;
        this.state = state;
        this.counters = counters;
        this.random = random;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        while (!stopped.getAsBoolean()) {
            var node = node();
            if (node.isEmpty()) {
                LockSupport.parkNanos(RETRY_INTERVAL.toNanos());
            } else if (!pendingUndos.isEmpty() && random.nextInt(100) < 35) {
                undo(node.get());
            } else {
                performRandomAction(node.get());
            }
        }
    }

    private Optional<URI> node() {
        return nodes.get(random.nextInt(nodes.size())).address();
    }

    private void undo(URI node) {
        var undo = pendingUndos.remove(random.nextInt(pendingUndos.size()));
        send(node, undo.by(), "DELETE", undo.path(), "");
    }

    private void performRandomAction(URI node) {
        var user = state.anyUser(random);
        int dice = random.nextInt(1000);
        if (dice < 250) {
            like(node, user, state.popularPost(random));
        } else if (dice < 500) {
            like(node, user, state.anyPost(random));
        } else if (dice < 700) {
            follow(node, user, random.nextInt(3) == 0 ? state.celebrity(random) : state.anyUser(random));
        } else if (dice < 800) {
            reply(node, user, state.popularPost(random));
        } else if (dice < 900) {
            reply(node, user, state.anyPost(random));
        } else if (dice < 985) {
            post(node, user, Map.of("content", "A post of mine"));
        } else if (dice < 997) {
            block(node, user, state.anyUser(random));
        } else if (state.admitDeletion(user)) {
            send(
                    node,
                    user,
                    "DELETE",
                    "/api/v1/users/" + user.hex(),
                    "{\"password\":\"%s\"}".formatted(ChaosUser.PASSWORD));
        }
    }

    private void like(URI node, ChaosUser user, String post) {
        var path = "/api/v1/posts/" + post + "/like";
        var reply = send(node, user, "POST", path, "");
        if (reply.status() == 404) {
            state.remove(post);
        } else if (reply.status() == 409 && random.nextBoolean()) {
            // Everybody has liked the popular posts soon: unlikes keep their cards changing.
            send(node, user, "DELETE", path, "");
        } else {
            rememberUndo(reply, new Undo(user, path));
        }
    }

    private void follow(URI node, ChaosUser user, ChaosUser other) {
        var path = "/api/v1/users/" + other.hex() + "/follow";
        rememberUndo(send(node, user, "POST", path, ""), new Undo(user, path));
    }

    private void reply(URI node, ChaosUser user, String to) {
        post(node, user, Map.of("content", "A reply of mine", "replyTo", to));
    }

    private void post(URI node, ChaosUser user, Map<String, String> draft) {
        var reply = send(node, user, "POST", "/api/v1/posts", Json.text(draft));
        if (reply.isDone()) {
            var post = JsonMapper.shared().readTree(reply.body()).path("id").asString();
            state.add(post);
            rememberUndo(reply, new Undo(user, "/api/v1/posts/" + post));
        }
    }

    private void block(URI node, ChaosUser user, ChaosUser other) {
        if (!user.equals(other) && state.admitBlock()) {
            send(node, user, "POST", "/api/v1/users/" + other.hex() + "/block", "");
        }
    }

    /** Only what may have taken effect can be undone. */
    private void rememberUndo(Reply reply, Undo undo) {
        if (reply.isDone() || reply.isUnknown()) {
            pendingUndos.add(undo);
            if (pendingUndos.size() > MAX_PENDING_UNDOS) {
                pendingUndos.removeFirst();
            }
        }
    }

    private Reply send(URI node, ChaosUser by, String method, String path, String json) {
        var reply = http.send(node, by, method, path, json);
        var counter = reply.isUnknown() ? counters.unknown : reply.isDone() ? counters.done : counters.refused;
        counter.incrementAndGet();
        return reply;
    }
}
