package io.hiroba.bench.saga;

import io.hiroba.bench.MeasuredServer;
import io.hiroba.bench.RawHttp;
import io.hiroba.bench.ServerProcess;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sagas of three HTTP steps that are started over HTTP; each ends for its client when its last step is called. */
final class SagasOverHttp implements AutoCloseable {

    /** Servers close connections that nobody uses, as happens here while another contestant's turn lasts. */
    private static final long MAX_IDLE_NANOS = 2_000_000_000L;

    private static final int WARM_UP = 3_000;

    private final MeasuredServer server;
    private final LocalService service;
    private final String path;
    private final String body;
    private final AtomicLong orders = new AtomicLong();
    private final ConcurrentLinkedQueue<Idle> connections = new ConcurrentLinkedQueue<>();

    private record Idle(RawHttp http, long since) {}

    /** @param body of the request that starts a saga; {@code %d} stands for the number of the order */
    SagasOverHttp(MeasuredServer server, LocalService service, String path, String body) {
        this.server = server;
        this.service = service;
        this.path = path;
        this.body = body;
    }

    /** Sagas of Hiroba, whose workflow is registered here. */
    static SagasOverHttp of(ServerProcess server, LocalService service) {
        try (var http = server.connect()) {
            http.send("PUT", "/api/v1/saga-services/bench", "{\"endpoint\": \"%s\"}".formatted(service.url()));
            http.send(
                    "POST",
                    "/api/v1/workflows",
                    IntStream.range(0, 3)
                            .mapToObj(
                                    "{\"name\": \"step%1$d\", \"service\": \"bench\", \"method\": \"step%1$d\"}"
                                            ::formatted)
                            .collect(Collectors.joining(", ", "{\"name\": \"order\", \"steps\": [", "]}")));
        }
        return new SagasOverHttp(
                server, service, "/api/v1/sagas", "{\"workflowName\": \"order\", \"payload\": {\"order\": %d}}");
    }

    /** Lets a young process compile itself before the measurement. */
    SagasOverHttp warmedUp() {
        System.err.println("· warming up " + server.name());
        new SagaClients(SagaBench.CLIENTS, WARM_UP).rate(n -> saga());
        return this;
    }

    void saga() {
        long order = orders.incrementAndGet();
        service.awaitLastStep(order, () -> {
            var http = connection();
            http.send("POST", path, body.formatted(order));
            connections.add(new Idle(http, System.nanoTime()));
        });
    }

    private RawHttp connection() {
        for (var idle = connections.poll(); idle != null; idle = connections.poll()) {
            if (System.nanoTime() - idle.since() < MAX_IDLE_NANOS) {
                return idle.http();
            }
            idle.http().close();
        }
        return server.connect();
    }

    @Override
    public void close() {
        connections.forEach(idle -> idle.http().close());
    }
}
