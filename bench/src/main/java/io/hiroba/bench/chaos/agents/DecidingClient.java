package io.hiroba.bench.chaos.agents;

import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.NodeProcess;
import io.hiroba.bench.chaos.RunCounters;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that approves and rejects what agents ask people for in their inboxes, at random servers. Some decisions are sent a second
 * time, the other way round.
 */
final class DecidingClient implements Runnable {

    private static final String INBOX = "/api/v1/inbox";
    private static final int MIN_PAUSE_MS = 100;
    private static final int MAX_PAUSE_MS = 400;
    private static final int REJECTED_PERCENT = 30;
    private static final int CONTRADICTED_PERCENT = 20;

    private final List<NodeProcess> nodes;
    private final List<ChaosUser> users;
    private final Decisions decisions;
    private final RunCounters counters;
    private final SplittableRandom random;
    private final BooleanSupplier stopped;
    private final ChaosHttpClient http = new ChaosHttpClient();

    DecidingClient(
            List<NodeProcess> nodes,
            List<ChaosUser> users,
            Decisions decisions,
            RunCounters counters,
            SplittableRandom random,
            BooleanSupplier stopped) {
        this.nodes = nodes;
        this.users = List.copyOf(users);
        this.decisions = decisions;
        this.counters = counters;
        this.random = random;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        while (!stopped.getAsBoolean()) {
            decide(users.get(random.nextInt(users.size())));
            LockSupport.parkNanos(random.nextLong(MIN_PAUSE_MS, MAX_PAUSE_MS) * 1_000_000);
        }
    }

    /** Decides what is in the inboxes of all; false if something was, or an inbox could not be read. */
    boolean isNothingLeft() {
        return users.stream().filter(this::decide).count() == users.size();
    }

    /** Decides what is in an inbox; whether nothing was. */
    private boolean decide(ChaosUser user) {
        var node = nodes.get(random.nextInt(nodes.size())).address();
        if (node.isEmpty()) {
            return false;
        }
        var inbox = send(node.get(), user, "GET", INBOX + "?action=approval_required", "");
        if (!inbox.isDone()) {
            return false;
        }
        var items = JsonMapper.shared().readTree(inbox.body()).path("items");
        items.forEach(item -> decide(node.get(), user, item));
        return items.isEmpty();
    }

    private void decide(URI node, ChaosUser user, JsonNode item) {
        boolean approves = random.nextInt(100) >= REJECTED_PERCENT;
        decide(node, user, item, approves);
        if (random.nextInt(100) < CONTRADICTED_PERCENT) {
            decide(node, user, item, !approves);
        }
    }

    private void decide(URI node, ChaosUser user, JsonNode item, boolean approves) {
        var path = INBOX + "/" + item.path("id").asString() + (approves ? "/approve" : "/reject");
        if (send(node, user, "POST", path, "{}").isDone()) {
            decisions.confirm(item.at("/approval/id").asString(""), approves);
        }
    }

    private Reply send(URI node, ChaosUser by, String method, String path, String json) {
        var reply = http.send(node, by, method, path, json, Map.of());
        counters.count(reply.isDone(), reply.isUnknown());
        return reply;
    }
}
