package io.hiroba.client;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A connection to a Hiroba server. It is used by any number of threads.
 *
 * {@snippet :
 * try (var hiroba = Hiroba.connect(URI.create("http://localhost:8080"), token);
 *         var worker = hiroba.worker("billing").step("charge", Charge.class, (charge, task) -> charge(charge)).start()) {
 *     var saga = hiroba.start("order", new Order(7));
 *     hiroba.await(saga, Duration.ofMinutes(1));
 * }
 * }
 */
public final class Hiroba implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration MAX_POLL = Duration.ofSeconds(2);

    private final Api api;

    private Hiroba(Api api) {
        this.api = api;
    }

    /**
     * Connects to a server; nothing is sent yet.
     *
     * @param token a token of the API with the scopes {@code sagas:start}, {@code sagas:read}, {@code sagas:manage} or {@code
     *     sagas:work} for what is used of this class
     */
    public static Hiroba connect(URI server, String token) {
        return new Hiroba(new Api(server, token));
    }

    /**
     * The state of a saga.
     *
     * @param status STARTED, RUNNING, COMPLETED, COMPENSATING, FAILED or CANCELLED
     * @param error why it failed; null if it did not
     * @param json all that the server tells of it
     */
    public record Saga(
            String id,
            String workflow,
            String status,
            @Nullable String error,
            JsonNode json) {

        /** Whether it has ended. */
        public boolean isOver() {
            return status.equals("COMPLETED") || status.equals("FAILED") || status.equals("CANCELLED");
        }
    }

    /** Starts a saga and returns its id. A request whose answer gets lost is sent again, and starts one saga all the same. */
    public String start(String workflow, Object payload) {
        var key = UUID.randomUUID().toString();
        var body = Map.of("workflowName", workflow, "payload", payload);
        return Retry.of(() -> api.post("/api/v1/sagas", body, Map.of("Idempotency-Key", key)))
                .path("id")
                .asString();
    }

    /** The state of a saga now. */
    public Saga get(String id) {
        var json = api.get(path(id));
        return new Saga(
                id,
                json.path("workflowName").asString(""),
                json.path("status").asString(""),
                json.path("errorMessage").asString(null),
                json);
    }

    /** Waits until the saga has ended, at most for {@code timeout}, and returns its state. */
    public Saga await(String id, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        var pause = POLL;
        var saga = get(id);
        while (!saga.isOver() && System.nanoTime() - end < 0) {
            Thread.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(MAX_POLL) < 0 ? pause.multipliedBy(2) : MAX_POLL;
            saga = get(id);
        }
        return saga;
    }

    /** Sends a saga a signal that a step of it waits for, or will. */
    public void signal(String id, String name, Object payload) {
        api.post(path(id) + "/signals/" + Api.encoded(name), payload, Map.of());
    }

    /** Has a saga undone. */
    public void cancel(String id) {
        api.post(path(id) + "/cancel", Map.of(), Map.of());
    }

    /** Makes a worker of a service that is registered with the endpoint {@code worker:}. */
    public Worker.Builder worker(String service) {
        return new Worker.Builder(api, service);
    }

    private static String path(String id) {
        return "/api/v1/sagas/" + Api.encoded(id);
    }

    @Override
    public void close() {
        api.close();
    }
}
