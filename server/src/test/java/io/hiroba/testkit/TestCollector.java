package io.hiroba.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hiroba.platform.trace.TracingConfig;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** A collector of OpenTelemetry that keeps what it is sent, or never answers. */
public final class TestCollector implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Seen> spans = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean hangs;

    /**
     * A span that came.
     *
     * @param parent empty for the first of a trace
     * @param links the traces that it refers to
     * @param service the resource's attributes
     */
    public record Seen(
            String trace,
            String id,
            String parent,
            String name,
            Map<String, String> attributes,
            List<String> links,
            boolean failed,
            Map<String, String> service) {}

    private TestCollector(HttpServer server) {
        this.server = server;
    }

    public static TestCollector start() {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var collector = new TestCollector(server);
            server.setExecutor(collector.threads);
            server.createContext("/v1/traces", collector::take);
            server.start();
            return collector;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on requests are taken and not answered. */
    public TestCollector hang() {
        hangs = true;
        return this;
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange;
                var body = new GZIPInputStream(exchange.getRequestBody())) {
            var request = ExportTraceServiceRequest.parseFrom(body);
            if (hangs) {
                closed.await();
                return;
            }
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            for (var resource : request.getResourceSpansList()) {
                var service = values(resource.getResource().getAttributesList());
                resource.getScopeSpansList()
                        .forEach(scope -> scope.getSpansList()
                                .forEach(span -> spans.add(new Seen(
                                        hex(span.getTraceId().toByteArray()),
                                        hex(span.getSpanId().toByteArray()),
                                        hex(span.getParentSpanId().toByteArray()),
                                        span.getName(),
                                        values(span.getAttributesList()),
                                        span.getLinksList().stream()
                                                .map(link ->
                                                        hex(link.getTraceId().toByteArray()))
                                                .toList(),
                                        span.getStatus().getCode() == Status.StatusCode.STATUS_CODE_ERROR,
                                        service))));
            }
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String hex(byte[] id) {
        return HexFormat.of().formatHex(id);
    }

    private static Map<String, String> values(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey,
                        each -> each.getValue().hasIntValue()
                                ? Long.toString(each.getValue().getIntValue())
                                : each.getValue().getStringValue()));
    }

    /** The settings of one who traces everything and sends it here. */
    public TracingConfig config() {
        return new TracingConfig(
                endpoint(), "", 1, List.of(), "test", List.of(), 1000, Duration.ofSeconds(10), Duration.ofSeconds(3));
    }

    /** Where spans are sent to. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    public List<Seen> spans() {
        return List.copyOf(spans);
    }

    /** The spans of a trace. */
    public List<Seen> trace(String id) {
        return spans.stream().filter(span -> span.trace().equals(id)).toList();
    }

    /** The header {@code Authorization} of each request. */
    public List<String> authorizations() {
        return List.copyOf(authorizations);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
