package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.Requests.Outcome;
import io.hiroba.bench.chaos.knowledge.Talk.Line;
import io.hiroba.bench.chaos.knowledge.Talk.Said;
import io.hiroba.platform.http.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Says something in one session or another, often where others do; has some archived at once, and shows and hides some. */
final class Speaker implements Runnable {

    private static final int INTERVAL_MS = 350;
    private static final int HESITATION = 30;
    private static final int ATTEMPTS = 4;
    private static final int MAX_BATCH = 4;
    private static final int WORTHWHILE = 3;
    private static final int FLAWED = 60;

    private final Requests requests;
    private final Memory memory;
    private final SplittableRandom random;
    private final BooleanSupplier over;

    Speaker(Requests requests, Memory memory, SplittableRandom random, BooleanSupplier over) {
        this.requests = requests;
        this.memory = memory;
        this.random = random;
        this.over = over;
    }

    @Override
    public void run() {
        // However short the run is, something is said that is worth archiving.
        var enough = Stream.generate(() -> words("user", Flaw.NONE)).limit(WORTHWHILE);
        say(memory.anyTalk(random), enough.toList(), Map.of()).require(201);
        while (!over.getAsBoolean()) {
            act(memory.anyTalk(random));
            LockSupport.parkNanos(random.nextInt(INTERVAL_MS) * 1_000_000L);
        }
    }

    private void act(Talk talk) {
        int dice = random.nextInt(100);
        if (dice < 50) {
            say(talk, lines(), Map.of()).require(201);
        } else if (dice < 85) {
            answer(talk);
        } else if (dice < 93) {
            requests.send(talk.owner(), "POST", talk.path() + "/archive", "", Map.of())
                    .require(200, 404, 409);
        } else {
            var draft = Map.of("visibility", random.nextBoolean() ? "public" : "private");
            requests.send(talk.owner(), "PUT", talk.path(), Json.text(draft), Map.of())
                    .require(200, 201);
        }
    }

    /** Speaks only if nobody else has since the session was read; and reads it again if somebody has. */
    private void answer(Talk talk) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var read = requests.send(talk.owner(), "GET", talk.path() + "?limit=1", "", Map.of())
                    .require(200, 404);
            if (read.is(404)) {
                return;
            }
            var version = JsonMapper.shared()
                    .readTree(read.reply().body())
                    .path("session")
                    .path("version")
                    .asInt();
            LockSupport.parkNanos(random.nextInt(HESITATION) * 1_000_000L);
            if (say(talk, lines(), Map.of("If-Match", "\"" + version + "\""))
                    .require(201, 409)
                    .is(201)) {
                return;
            }
        }
    }

    private Outcome say(Talk talk, List<Line> lines, Map<String, String> condition) {
        var headers = new HashMap<>(condition);
        headers.put("Idempotency-Key", "words-" + memory.next());
        var json = Json.text(lines.stream().map(Line::json).toList());
        long began = System.nanoTime();
        var outcome = requests.send(talk.owner(), "POST", talk.path() + "/messages", json, headers);
        if (outcome.is(201)) {
            int index = JsonMapper.shared()
                    .readTree(outcome.reply().body())
                    .path("index")
                    .asInt();
            talk.add(new Said(index, lines, began, System.nanoTime()));
        }
        return outcome;
    }

    private List<Line> lines() {
        return IntStream.rangeClosed(0, random.nextInt(MAX_BATCH))
                .mapToObj(n -> line())
                .toList();
    }

    private Line line() {
        var role = List.of("user", "user", "user", "assistant", "system").get(random.nextInt(5));
        // What says next to nothing is not archived alone.
        return random.nextInt(6) == 0
                ? new Line(role, null, "Yes " + memory.next())
                : words(role, Flaw.any(random, FLAWED));
    }

    private Line words(String role, Flaw flaw) {
        var author = role.equals("user") && random.nextBoolean() ? "Ann" : null;
        return new Line(role, author, "Words %d of somebody%s".formatted(memory.next(), flaw.mark()));
    }
}
