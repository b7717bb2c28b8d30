package io.hiroba.bench.chaos.agents;

import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.RunCounters;
import io.hiroba.platform.http.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that mentions agents, replies to them, looks at runs, stops some and deletes some questions, at random servers. */
final class AskingClient implements Runnable {

    private static final int MIN_PAUSE_MS = 100;
    private static final int MAX_PAUSE_MS = 500;
    private static final int MAX_KNOWN = 100;
    private static final AtomicLong COUNT = new AtomicLong();

    private final List<NodeProcess> nodes;
    private final Asking asking;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final BooleanSupplier stopped;
    private final ChaosHttpClient http = new ChaosHttpClient();
    private final Map<ChaosUser, List<String>> posts = new HashMap<>();
    private final Map<ChaosUser, List<String>> replies = new HashMap<>();

    /**
     * The users who ask, and the agents that are asked.
     *
     * @param agents ids by name
     */
    record Asking(List<ChaosUser> users, Map<String, String> agents) {

        Asking {
            users = List.copyOf(users);
            agents = Map.copyOf(agents);
        }
    }

    AskingClient(
            List<NodeProcess> nodes,
            Asking asking,
            RunCounters counters,
            SplittableRandom random,
            BooleanSupplier stopped) {
        this.nodes = nodes;
        this.asking = asking;
        this.counters = counters;
        this.random = random;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        while (!stopped.getAsBoolean()) {
            nodes.get(random.nextInt(nodes.size())).address().ifPresent(this::act);
            LockSupport.parkNanos(random.nextLong(MIN_PAUSE_MS, MAX_PAUSE_MS) * 1_000_000);
        }
    }

    /** Mentions an agent in a question of the admin. */
    void ask(String agent) {
        nodes.get(random.nextInt(nodes.size()))
                .address()
                .ifPresent(node -> ask(node, asking.users().getLast(), "@" + agent + " ", ""));
    }

    private void act(URI node) {
        // One of them asks far more than the others, and more than a day's budget holds.
        var user = random.nextInt(3) == 0
                ? asking.users().getFirst()
                : asking.users().get(random.nextInt(asking.users().size()));
        var names = List.copyOf(asking.agents().keySet());
        var name = names.get(random.nextInt(names.size()));
        int dice = random.nextInt(100);
        if (dice < 55) {
            ask(node, user, "@" + name + " ", "");
        } else if (dice < 75) {
            var known = replies.getOrDefault(user, List.of());
            if (!known.isEmpty()) {
                ask(node, user, "", known.get(random.nextInt(known.size())));
            }
        } else if (dice < 95) {
            look(node, user, asking.agents().getOrDefault(name, ""), dice < 80);
        } else {
            var known = posts.getOrDefault(user, List.of());
            if (!known.isEmpty()) {
                send(node, user, "DELETE", "/api/v1/posts/" + known.get(random.nextInt(known.size())), "");
            }
        }
    }

    private void ask(URI node, ChaosUser user, String mention, String replyTo) {
        var question = new Question("q" + COUNT.incrementAndGet(), ModelCalls.person(user.id()));
        var draft = new HashMap<>(Map.of("content", mention + question.asked()));
        if (!replyTo.isEmpty()) {
            draft.put("replyTo", replyTo);
        }
        var reply = send(node, user, "POST", "/api/v1/posts", Json.text(draft));
        if (reply.isDone()) {
            remember(posts, user, tree(reply).path("id").asString());
        }
    }

    /** Looks at the runs of an agent, and may stop one that has not ended. */
    private void look(URI node, ChaosUser user, String agent, boolean stops) {
        var path = "/api/v1/agents/" + agent + "/runs";
        var reply = send(node, user, "GET", path, "");
        if (!reply.isDone()) {
            return;
        }
        for (var run : tree(reply).path("items")) {
            var replyId = run.path("replyId").asString("");
            if (!replyId.isEmpty()) {
                remember(replies, user, replyId);
            } else if (stops && run.path("endedAt").asString("").isEmpty()) {
                send(
                        node,
                        user,
                        "POST",
                        path + "/" + run.path("id").asString() + "/stop?keep=" + random.nextBoolean(),
                        "");
                return;
            }
        }
    }

    private static JsonNode tree(Reply reply) {
        return JsonMapper.shared().readTree(reply.body());
    }

    private static void remember(Map<ChaosUser, List<String>> known, ChaosUser user, String id) {
        var all = known.computeIfAbsent(user, first -> new ArrayList<>());
        if (!all.contains(id)) {
            all.add(id);
        }
        if (all.size() > MAX_KNOWN) {
            all.removeFirst();
        }
    }

    private Reply send(URI node, ChaosUser by, String method, String path, String json) {
        var reply = http.send(node, by, method, path, json, Map.of());
        counters.count(reply.isDone(), reply.isUnknown());
        return reply;
    }
}
