package io.hiroba.platform.http;

import io.hiroba.platform.config.SecretText;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;

/** The endpoints of operators: liveness, readiness and metrics. */
final class OperatorRoutes implements Routes {

    private final Readiness readiness;
    private final PrometheusMeterRegistry meters;
    private final ClientAddress addresses;
    private final SecretText token;
    private final boolean isPublic;

    OperatorRoutes(Readiness readiness, PrometheusMeterRegistry meters, ClientAddress addresses, HttpConfig config) {
        this.readiness = readiness;
        this.meters = meters;
        this.addresses = addresses;
        this.token = config.metricsToken();
        this.isPublic = !config.publicUrl().isEmpty();
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/healthz", ctx -> ctx.json(Map.of("alive", true)));
        routes.get("/readyz", this::ready);
        routes.get("/metrics", this::metrics);
    }

    private void ready(Context ctx) {
        var report = readiness.report();
        ctx.status(report.ready() ? 200 : 503).json(report);
    }

    private void metrics(Context ctx) {
        if (!mayRead(ctx)) {
            throw HttpProblem.metricsForbidden();
        }
        ctx.contentType("text/plain; version=0.0.4; charset=utf-8").result(meters.scrape());
    }

    private boolean mayRead(Context ctx) {
        if (token.isEmpty()) {
            // Behind a proxy on this machine, a request from anywhere may look as if it were made here.
            return !isPublic && addresses.isLocal(ctx);
        }
        var given = ctx.header("Authorization");
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8),
                        ("Bearer " + token.value()).getBytes(StandardCharsets.UTF_8));
    }
}
