package io.hiroba.bench.chaos.everything;

import io.hiroba.bench.chaos.Await;
import io.hiroba.bench.chaos.ChaosHttpClient;
import io.hiroba.bench.chaos.ChaosHttpClient.Reply;
import io.hiroba.bench.chaos.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the lists of entries from servers that no longer fail, which may be slow. */
final class LedgerReader {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final List<NodeProcess> nodes;
    private final LedgerPlaces places;
    private final EventReceiver receiver;
    private final SplittableRandom random;
    private final ChaosHttpClient http = new ChaosHttpClient();

    LedgerReader(List<NodeProcess> nodes, LedgerPlaces places, EventReceiver receiver, SplittableRandom random) {
        this.nodes = nodes;
        this.places = places;
        this.receiver = receiver;
        this.random = random;
    }

    /** The marks of all entries that the API lists, or that webhooks have told of. */
    List<String> marks(LedgerKind kind) {
        if (kind.list().isEmpty()) {
            return receiver.entries();
        }
        var list = places.fill(kind.list()) + (kind.list().contains("?") ? "&" : "?") + "limit=100";
        var found = new ArrayList<String>();
        var after = "";
        do {
            var page = page(list + after);
            for (var item : page.path("items")) {
                var mark = kind.marks().matcher(item.toString());
                if (mark.find()) {
                    found.add(mark.group(1));
                }
            }
            var next = page.path("next").asString("");
            after = next.isEmpty() ? "" : "&after=" + next;
        } while (!after.isEmpty());
        return found;
    }

    private JsonNode page(String path) {
        var reply = new AtomicReference<>(new Reply(0, "no server was there"));
        Await.until(
                TIMEOUT,
                () -> {
                    nodes.get(random.nextInt(nodes.size()))
                            .address()
                            .ifPresent(node -> reply.set(http.send(node, places.user(), "GET", path, "", Map.of())));
                    return reply.get().isDone();
                },
                () -> path + " is answered with " + reply.get());
        return JsonMapper.shared().readTree(reply.get().body());
    }
}
