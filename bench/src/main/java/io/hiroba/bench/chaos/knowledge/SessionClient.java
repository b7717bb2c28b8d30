package io.hiroba.bench.chaos.knowledge;

import io.hiroba.bench.chaos.knowledge.ExpectedSession.Acknowledged;
import io.hiroba.bench.chaos.knowledge.ExpectedSession.Message;
import io.hiroba.bench.chaos.knowledge.RetryingClient.Outcome;
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

/** A client that appends to random sessions, often concurrently with others, and archives, publishes and hides some. */
final class SessionClient implements Runnable {

    private static final int INTERVAL_MS = 350;
    private static final int MAX_DELAY_MS = 30;
    private static final int ATTEMPTS = 4;
    private static final int MAX_BATCH = 4;
    private static final int MIN_MESSAGES = 3;
    private static final int DEFECT_ODDS = 60;

    private final RetryingClient requests;
    private final ClientHistory history;
    private final SplittableRandom random;
    private final BooleanSupplier stopped;

    SessionClient(RetryingClient requests, ClientHistory history, SplittableRandom random, BooleanSupplier stopped) {
        this.requests = requests;
        this.history = history;
        this.random = random;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        // Even the shortest run has messages that are worth archiving.
        var enough = Stream.generate(() -> words("user", TextDefect.NONE)).limit(MIN_MESSAGES);
        append(history.anySession(random), enough.toList(), Map.of()).require(201);
        while (!stopped.getAsBoolean()) {
            performRandomAction(history.anySession(random));
            LockSupport.parkNanos(random.nextInt(INTERVAL_MS) * 1_000_000L);
        }
    }

    private void performRandomAction(ExpectedSession session) {
        int dice = random.nextInt(100);
        if (dice < 50) {
            append(session, messages(), Map.of()).require(201);
        } else if (dice < 85) {
            appendIfUnchanged(session);
        } else if (dice < 93) {
            requests.send(session.owner(), "POST", session.path() + "/archive", "", Map.of())
                    .require(200, 404, 409);
        } else {
            var draft = Map.of("visibility", random.nextBoolean() ? "public" : "private");
            requests.send(session.owner(), "PUT", session.path(), Json.text(draft), Map.of())
                    .require(200, 201);
        }
    }

    /** Appends with If-Match, and reads the session again on a conflict. */
    private void appendIfUnchanged(ExpectedSession session) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var read = requests.send(session.owner(), "GET", session.path() + "?limit=1", "", Map.of())
                    .require(200, 404);
            if (read.is(404)) {
                return;
            }
            var version = JsonMapper.shared()
                    .readTree(read.reply().body())
                    .path("session")
                    .path("version")
                    .asInt();
            LockSupport.parkNanos(random.nextInt(MAX_DELAY_MS) * 1_000_000L);
            if (append(session, messages(), Map.of("If-Match", "\"" + version + "\""))
                    .require(201, 409)
                    .is(201)) {
                return;
            }
        }
    }

    private Outcome append(ExpectedSession session, List<Message> messages, Map<String, String> condition) {
        var headers = new HashMap<>(condition);
        headers.put("Idempotency-Key", "words-" + history.nextNumber());
        var json = Json.text(messages.stream().map(Message::json).toList());
        long began = System.nanoTime();
        var outcome = requests.send(session.owner(), "POST", session.path() + "/messages", json, headers);
        if (outcome.is(201)) {
            int index = JsonMapper.shared()
                    .readTree(outcome.reply().body())
                    .path("index")
                    .asInt();
            session.add(new Acknowledged(index, messages, began, System.nanoTime()));
        }
        return outcome;
    }

    private List<Message> messages() {
        return IntStream.rangeClosed(0, random.nextInt(MAX_BATCH))
                .mapToObj(n -> message())
                .toList();
    }

    private Message message() {
        var role = List.of("user", "user", "user", "assistant", "system").get(random.nextInt(5));
        // What says next to nothing is not archived alone.
        return random.nextInt(6) == 0
                ? new Message(role, null, "Yes " + history.nextNumber())
                : words(role, TextDefect.any(random, DEFECT_ODDS));
    }

    private Message words(String role, TextDefect defect) {
        var author = role.equals("user") && random.nextBoolean() ? "Ann" : null;
        return new Message(role, author, "Words %d of somebody%s".formatted(history.nextNumber(), defect.mark()));
    }
}
