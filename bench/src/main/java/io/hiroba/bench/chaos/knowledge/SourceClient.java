package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.ChaosUser;
import io.hiroba.bench.chaos.knowledge.RetryingClient.Outcome;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** A client that adds sources of random users, and changes, publishes, hides and deletes some. */
final class SourceClient implements Runnable {

    private static final String PATH = "/api/v1/knowledge/sources";
    private static final int INTERVAL_MS = 250;
    private static final int MAX_PASSAGES = 8;
    private static final int DEFECT_ODDS = 25;

    private final RetryingClient requests;
    private final ClientHistory history;
    private final SplittableRandom random;
    private final BooleanSupplier stopped;
    private final List<ExpectedSource> changeable = new ArrayList<>();
    /**
     * Sources of which a change was sent more than once: an unanswered request may still take effect later, so that only
     * their deletion is certain from then on.
     */
    private final List<ExpectedSource> uncertain = new ArrayList<>();

    SourceClient(RetryingClient requests, ClientHistory history, SplittableRandom random, BooleanSupplier stopped) {
        this.requests = requests;
        this.history = history;
        this.random = random;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        // Even the shortest run keeps a source with every outcome to its end.
        history.keep(add(Stream.of(TextDefect.values()).map(this::passage).toList()));
        while (!stopped.getAsBoolean()) {
            performRandomAction();
            LockSupport.parkNanos(random.nextInt(INTERVAL_MS) * 1_000_000L);
        }
    }

    private void performRandomAction() {
        int dice = random.nextInt(100);
        if (changeable.isEmpty() || dice < 45) {
            keep(changeable, add(passages(1 + random.nextInt(MAX_PASSAGES))));
        } else if (dice < 65) {
            change(changeable.remove(random.nextInt(changeable.size())));
        } else if (dice < 80) {
            changeVisibility(changeable.remove(random.nextInt(changeable.size())));
        } else {
            var from = uncertain.isEmpty() || random.nextBoolean() ? changeable : uncertain;
            delete(from.remove(random.nextInt(from.size())));
        }
    }

    private ExpectedSource add(List<String> passages) {
        long number = history.nextNumber();
        var owner = history.anyUser(random);
        boolean isPublic = random.nextBoolean();
        var draft = Map.of(
                "title", "Source " + number, "text", ExpectedSource.text(passages), "visibility", visibility(isPublic));
        var created = requests.send(
                        owner, "POST", PATH, Json.text(draft), Map.of("Idempotency-Key", "source-" + number))
                .require(200, 201);
        var id = JsonMapper.shared().readTree(created.reply().body()).path("id").asString();
        return new ExpectedSource(Ids.parse(id), owner, passages, isPublic, false);
    }

    /**
     * Removes some passages and inserts new ones at random positions. Without an idempotency key, which a killed server
     * would hold for minutes: the request is idempotent by its content.
     */
    private void change(ExpectedSource before) {
        var fresh = passages(1 + random.nextInt(MAX_PASSAGES / 2));
        var all = new ArrayList<>(before.passages().stream()
                .filter(passage -> random.nextBoolean())
                .toList());
        fresh.forEach(passage -> all.add(random.nextInt(all.size() + 1), passage));
        var done = send(before.owner(), "PUT", before, Map.of("text", ExpectedSource.text(all)))
                .require(200);
        keep(done.repeated() ? uncertain : changeable, before.withPassages(List.copyOf(all)));
    }

    private void changeVisibility(ExpectedSource before) {
        boolean isPublic = !before.isPublic();
        var done = send(before.owner(), "PATCH", before, Map.of("visibility", visibility(isPublic)))
                .require(200);
        keep(done.repeated() ? uncertain : changeable, before.withVisibility(isPublic));
    }

    private void delete(ExpectedSource expected) {
        var done = send(expected.owner(), "DELETE", expected, Map.of());
        done.require(done.repeated() ? new int[] {204, 404} : new int[] {204});
        history.keep(expected.deleted());
    }

    private Outcome send(ChaosUser by, String method, ExpectedSource expected, Map<String, String> body) {
        var json = body.isEmpty() ? "" : Json.text(body);
        return requests.send(by, method, PATH + "/" + Ids.hex(expected.id()), json, Map.of());
    }

    private void keep(List<ExpectedSource> among, ExpectedSource expected) {
        among.add(expected);
        history.keep(expected);
    }

    /** Sometimes all passages are defective. */
    private List<String> passages(int count) {
        boolean allDefective = random.nextInt(DEFECT_ODDS) == 0;
        return IntStream.range(0, count)
                .mapToObj(n -> passage(allDefective ? TextDefect.any(random, 1) : TextDefect.any(random, DEFECT_ODDS)))
                .toList();
    }

    private String passage(TextDefect defect) {
        return "Passage %d\n\nSomebody counted %d lamps, %d boats and a key%s."
                .formatted(history.nextNumber(), random.nextInt(1000), random.nextInt(1000), defect.mark());
    }

    private static String visibility(boolean isPublic) {
        return isPublic ? "public" : "private";
    }
}
