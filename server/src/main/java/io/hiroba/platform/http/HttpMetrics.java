package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.RequestLogger;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Times requests by method, route and status. */
final class HttpMetrics implements RequestLogger {

    private static final Set<String> KNOWN = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final MeterRegistry meters;
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();

    HttpMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void handle(Context ctx, Float milliseconds) {
        var series = new Series(method(ctx.method().name()), route(ctx), ctx.statusCode());
        timers.computeIfAbsent(series, this::timer).record((long) (milliseconds * 1e6), TimeUnit.NANOSECONDS);
    }

    /** Clients can invent methods; all of those share one series. */
    static String method(String name) {
        return KNOWN.contains(name) ? name : "OTHER";
    }

    /** The path as it was registered, {@code /api/v1/users/{id}}, which has few values, unlike the path itself. */
    static String route(Context ctx) {
        var endpoint = ctx.endpoints().lastHttpEndpoint();
        return endpoint == null ? "none" : endpoint.path;
    }

    private Timer timer(Series series) {
        return Timer.builder("http.server.requests")
                .description("Requests answered, by route")
                .tag("method", series.method())
                .tag("route", series.route())
                .tag("status", Integer.toString(series.status()))
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(20),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(2))
                .register(meters);
    }

    private record Series(String method, String route, int status) {}
}
