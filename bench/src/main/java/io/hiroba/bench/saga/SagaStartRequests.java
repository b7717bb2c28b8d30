package io.hiroba.bench.saga;

import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.ServerProcess;
import java.util.List;
import java.util.Map;

/** Requests for sagas over HTTP: starting one that then waits for a signal, one saga, and the newest. */
public final class SagaStartRequests {

    private static final int SAGAS = 500;
    private static final Map<String, Object> START = Map.of("workflowName", "approval", "payload", Map.of("order", 7));

    private SagaStartRequests() {}

    /** Registers a workflow on the server, starts sagas of it and returns the requests for them. */
    public static List<Request> prepare(ServerProcess server) {
        System.err.printf("· starting %d sagas on %s%n", SAGAS, server.name());
        server.post(
                "/api/v1/workflows",
                Map.of("name", "approval", "steps", List.of(Map.of("name", "approval", "waitForSignal", "approve"))));
        var id = "";
        for (int i = 0; i < SAGAS; i++) {
            id = server.post("/api/v1/sagas", START).path("id").asString();
        }
        var saga = "/api/v1/sagas/" + id;
        return List.of(
                new Request("newest sagas", (http, number) -> http.get("/api/v1/sagas")),
                new Request("one saga", (http, number) -> http.get(saga)),
                new Request(
                        "start one saga",
                        (http, number) -> http.send(
                                "POST",
                                "/api/v1/sagas",
                                "{\"workflowName\": \"approval\", \"payload\": {\"order\": %d}}".formatted(number))));
    }
}
