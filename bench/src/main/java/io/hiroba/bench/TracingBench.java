package io.hiroba.bench;

import com.sun.net.httpserver.HttpServer;
import io.hiroba.bench.HttpBench.Request;
import io.hiroba.bench.social.SocialRequests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executors;

/** The cost of traces: the same requests of servers that trace nothing, a tenth and everything, to a collector that only takes. */
final class TracingBench {

    private TracingBench() {}

    static void run(double seconds) {
        var servers = new ArrayList<ServerProcess>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            collector.setExecutor(threads);
            collector.createContext("/", exchange -> {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            collector.start();
            try {
                var endpoint = "--tracing.endpoint=http://127.0.0.1:%d/v1/traces"
                        .formatted(collector.getAddress().getPort());
                servers.add(ServerProcess.named("no traces"));
                servers.add(ServerProcess.named("a tenth", endpoint, "--tracing.ratio=0.1"));
                servers.add(
                        ServerProcess.named("everything", endpoint, "--tracing.ratio=1", "--tracing.queue-size=65536"));
                var requests = new LinkedHashMap<MeasuredServer, List<Request>>();
                servers.forEach(server -> requests.put(server, SocialRequests.prepare(server)));
                HttpBench.run(requests, seconds);
            } finally {
                servers.forEach(ServerProcess::close);
                collector.stop(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
