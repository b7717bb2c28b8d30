package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.Person;
import io.hiroba.bench.chaos.knowledge.Requests.Outcome;
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

/** Adds sources on behalf of anybody, gives some of them other content, shows and hides some, and deletes some. */
final class Librarian implements Runnable {

    private static final String PATH = "/api/v1/knowledge/sources";
    private static final int INTERVAL_MS = 250;
    private static final int MAX_PASSAGES = 8;
    private static final int FLAWED = 25;

    private final Requests requests;
    private final Memory memory;
    private final SplittableRandom random;
    private final BooleanSupplier over;
    private final List<Holding> changeable = new ArrayList<>();
    /**
     * Those of which a change was sent more than once: what got no answer may still take effect, as it may again, so that
     * nothing but their end can be known for sure from then on.
     */
    private final List<Holding> settled = new ArrayList<>();

    Librarian(Requests requests, Memory memory, SplittableRandom random, BooleanSupplier over) {
        this.requests = requests;
        this.memory = memory;
        this.random = random;
        this.over = over;
    }

    @Override
    public void run() {
        // However short the run is, a source stays to its end of which everything becomes that can.
        memory.keep(add(Stream.of(Flaw.values()).map(this::passage).toList()));
        while (!over.getAsBoolean()) {
            act();
            LockSupport.parkNanos(random.nextInt(INTERVAL_MS) * 1_000_000L);
        }
    }

    private void act() {
        int dice = random.nextInt(100);
        if (changeable.isEmpty() || dice < 45) {
            keep(changeable, add(passages(1 + random.nextInt(MAX_PASSAGES))));
        } else if (dice < 65) {
            change(changeable.remove(random.nextInt(changeable.size())));
        } else if (dice < 80) {
            show(changeable.remove(random.nextInt(changeable.size())));
        } else {
            var from = settled.isEmpty() || random.nextBoolean() ? changeable : settled;
            delete(from.remove(random.nextInt(from.size())));
        }
    }

    private Holding add(List<String> passages) {
        long number = memory.next();
        var owner = memory.anybody(random);
        boolean isPublic = random.nextBoolean();
        var draft =
                Map.of("title", "Source " + number, "text", Holding.text(passages), "visibility", visibility(isPublic));
        var made = requests.send(owner, "POST", PATH, Json.text(draft), Map.of("Idempotency-Key", "source-" + number))
                .require(200, 201);
        var id = JsonMapper.shared().readTree(made.reply().body()).path("id").asString();
        return new Holding(Ids.parse(id), owner, passages, isPublic, false);
    }

    /**
     * Some passages go, others stay and new ones come, anywhere. Without a key, which a server that dies would keep for
     * minutes: the same content again is the same.
     */
    private void change(Holding before) {
        var fresh = passages(1 + random.nextInt(MAX_PASSAGES / 2));
        var all = new ArrayList<>(before.passages().stream()
                .filter(passage -> random.nextBoolean())
                .toList());
        fresh.forEach(passage -> all.add(random.nextInt(all.size() + 1), passage));
        var done = send(before.owner(), "PUT", before, Map.of("text", Holding.text(all)))
                .require(200);
        keep(done.repeated() ? settled : changeable, before.with(List.copyOf(all)));
    }

    private void show(Holding before) {
        boolean isPublic = !before.isPublic();
        var done = send(before.owner(), "PATCH", before, Map.of("visibility", visibility(isPublic)))
                .require(200);
        keep(done.repeated() ? settled : changeable, before.shown(isPublic));
    }

    private void delete(Holding holding) {
        var done = send(holding.owner(), "DELETE", holding, Map.of());
        done.require(done.repeated() ? new int[] {204, 404} : new int[] {204});
        memory.keep(holding.deleted());
    }

    private Outcome send(Person by, String method, Holding holding, Map<String, String> body) {
        var json = body.isEmpty() ? "" : Json.text(body);
        return requests.send(by, method, PATH + "/" + Ids.hex(holding.id()), json, Map.of());
    }

    private void keep(List<Holding> among, Holding holding) {
        among.add(holding);
        memory.keep(holding);
    }

    /** Now and then no vector can be made of any of them. */
    private List<String> passages(int count) {
        boolean hopeless = random.nextInt(FLAWED) == 0;
        return IntStream.range(0, count)
                .mapToObj(n -> passage(hopeless ? Flaw.any(random, 1) : Flaw.any(random, FLAWED)))
                .toList();
    }

    private String passage(Flaw flaw) {
        return "Passage %d\n\nSomebody counted %d lamps, %d boats and a key%s."
                .formatted(memory.next(), random.nextInt(1000), random.nextInt(1000), flaw.mark());
    }

    private static String visibility(boolean isPublic) {
        return isPublic ? "public" : "private";
    }
}
