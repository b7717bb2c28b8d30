package io.hiroba.bench;

import io.hiroba.bench.records.RecordRequests;
import io.hiroba.bench.saga.SagaStartRequests;
import io.hiroba.bench.social.SocialRequests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The benchmark of a feature over HTTP, on servers in processes of their own: of this build, or of this and another. */
public final class HttpBench {

    private static final int CLIENTS = 4;
    private static final int WARM_UP = 2;

    /** The features that have one: each fills a new server and returns its requests. */
    static final Map<String, Function<ServerProcess, List<Request>>> FEATURES = Map.of(
            "records", RecordRequests::prepare,
            "social", SocialRequests::prepare,
            "saga", SagaStartRequests::prepare);

    private HttpBench() {}

    /**
     * A kind of request.
     *
     * @param send sends the request with a number, which increases
     */
    public record Request(String work, BiConsumer<RawHttp, Long> send) {}

    /**
     * Measures the feature's requests in turns.
     *
     * @param against another checkout, which is the baseline; null for none
     */
    public static void run(String feature, @Nullable Path against, double seconds) {
        if (against == null) {
            try (var ours = ServerProcess.ofThisBuild()) {
                run(feature, List.of(ours), seconds);
            }
        } else {
            try (var theirs = ServerProcess.of(against);
                    var ours = ServerProcess.ofThisBuild()) {
                run(feature, List.of(theirs, ours), seconds);
            }
        }
    }

    private static void run(String feature, List<ServerProcess> servers, double seconds) {
        var prepare = FEATURES.getOrDefault(feature, server -> List.of());
        var requests = new LinkedHashMap<MeasuredServer, List<Request>>();
        servers.forEach(server -> requests.put(server, prepare.apply(server)));
        run(requests, seconds);
    }

    /** Measures the same requests of several servers in turns, each server's in the same order. */
    static void run(Map<MeasuredServer, List<Request>> requests, double seconds) {
        System.err.println("· warming up");
        for (int round = 0; round < WARM_UP; round++) {
            requests.forEach((server, each) -> each.forEach(request -> rate(server, request, seconds)));
        }
        for (int i = 0; i < requests.values().iterator().next().size(); i++) {
            measure(requests, i, seconds);
        }
    }

    private static void measure(Map<MeasuredServer, List<Request>> requests, int i, double seconds) {
        var work = requests.values().iterator().next().get(i).work();
        var benchmark = new InterleavedBenchmark(work + ", over HTTP", "requests/s").inThreeRounds();
        requests.forEach((server, each) ->
                benchmark.with(server.name(), server.cpu(), () -> rate(server, each.get(i), seconds)));
        benchmark.run();
    }

    private static double rate(MeasuredServer server, Request request, double seconds) {
        var connections = new ConcurrentLinkedQueue<RawHttp>();
        var opened = new ArrayList<RawHttp>();
        for (int client = 0; client < CLIENTS; client++) {
            opened.add(server.connect());
        }
        connections.addAll(opened);
        try {
            return LoadClients.rate(CLIENTS, seconds, number -> {
                var connection = connections.remove();
                request.send().accept(connection, number);
                connections.add(connection);
            });
        } finally {
            opened.forEach(RawHttp::close);
        }
    }
}
