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
    private final SplittableRandom random;
    private final ChaosHttpClient http = new ChaosHttpClient();

    LedgerReader(List<NodeProcess> nodes, LedgerPlaces places, SplittableRandom random) {
        this.nodes = nodes;
        this.places = places;
        this.random = random;
    }

    /** The marks of all entries that the API lists. */
    List<String> marks(LedgerKind kind) {
        var found = new ArrayList<String>();
        var after = "";
        do {
            var page = page(kind.list(places) + after);
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
