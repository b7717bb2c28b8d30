package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.Tracing;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.compression.Gzip;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.config.SizeUnit;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.jspecify.annotations.Nullable;

/** Builds an {@link HttpServer}. */
public final class HttpServerBuilder {

    /** Also with an encoded slash, such as in a name: routes take it for a part of its segment. */
    private static final UriCompliance URIS =
            UriCompliance.DEFAULT.with("encoded slashes", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR);

    private static final Duration RETENTION_INTERVAL = Duration.ofMinutes(5);

    private final HttpConfig config;
    private final Db db;
    private final List<Routes> routes = new ArrayList<>();
    private final List<String> crossSitePaths = new ArrayList<>();
    private PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private Clock clock = Clock.systemUTC();
    private Identity identity = Identity.NOBODY;
    private Assets assets = new Assets();
    private ErrorPage errorPage = ErrorPage.PROBLEM_JSON;
    private Function<Context, Language> language = RequestLanguage::accepted;
    private BooleanSupplier migrated = () -> true;
    private Tracing tracing = Tracing.OFF;
    private @Nullable Path uploads;
    private @Nullable RateLimiter rateLimiter;

    HttpServerBuilder(HttpConfig config, Db db) {
        this.config = config;
        this.db = db;
    }

    public HttpServerBuilder meters(PrometheusMeterRegistry meters) {
        this.meters = meters;
        return this;
    }

    /** The traces that requests are part of; by default there are none. */
    public HttpServerBuilder tracing(Tracing tracing) {
        this.tracing = tracing;
        return this;
    }

    public HttpServerBuilder clock(Clock clock) {
        this.clock = clock;
        return this;
    }

    public HttpServerBuilder identity(Identity identity) {
        this.identity = identity;
        return this;
    }

    public HttpServerBuilder errorPage(ErrorPage errorPage) {
        this.errorPage = errorPage;
        return this;
    }

    /** The language of who reads an answer; by default that of the request's header. */
    public HttpServerBuilder language(Function<Context, Language> language) {
        this.language = language;
        return this;
    }

    /** The files that pages link to, shared with the templates. */
    public HttpServerBuilder assets(Assets assets) {
        this.assets = assets;
        return this;
    }

    /** The limits of clients, shared with the gRPC server; by default it has its own. */
    public HttpServerBuilder rateLimiter(RateLimiter rateLimiter) {
        this.rateLimiter = rateLimiter;
        return this;
    }

    /** Checks whether every feature's schema is up to date; by default it is taken to be. */
    public HttpServerBuilder migrated(BooleanSupplier migrated) {
        this.migrated = migrated;
        return this;
    }

    /** The folder of multipart files during their requests; by default that of temporary files. */
    public HttpServerBuilder uploads(Path folder) {
        this.uploads = folder;
        return this;
    }

    /**
     * Permits cross-site requests below {@code path}, where a token in the path authorizes the request and cookies do
     * not matter.
     */
    public HttpServerBuilder allowCrossSite(String path) {
        crossSitePaths.add(path);
        return this;
    }

    public HttpServerBuilder routes(Routes... more) {
        routes.addAll(List.of(more));
        return this;
    }

    public HttpServerBuilder routes(List<? extends Routes> more) {
        routes.addAll(more);
        return this;
    }

    public HttpServer build() {
        var drain = new Drain(config.limits().drainDelay());
        var addresses = new ClientAddress(config.trustedProxies());
        var accessLog = new AccessLog(addresses, clock);
        var deadline = new RequestDeadline(config.limits());
        var javalin = Javalin.create(javalinConfig -> {
            RouteIndex.install(javalinConfig.unsafe);
            InternalCalls.install(javalinConfig);
            limits(javalinConfig);
            javalinConfig.jetty.modifyServer(server -> jetty(server, deadline));
            requests(javalinConfig, drain, addresses);
            if (tracing.isOn()) {
                var requests = new HttpTracing(tracing);
                javalinConfig.jetty.modifyServletContextHandler(requests::install);
                javalinConfig.requestLogger.http(requests);
            }
            javalinConfig.requestLogger.http(accessLog);
        });
        return new HttpServer(javalin, drain, List.of(new ServerMetrics(meters), retention(), accessLog, deadline));
    }

    private WorkLoop retention() {
        var idempotency = new Idempotency(db, clock);
        var throttle = new Throttle(db, clock);
        return WorkLoop.every(RETENTION_INTERVAL, "http retention", () -> {
            RetentionSweep.run(idempotency::sweep);
            RetentionSweep.run(throttle::sweep);
        });
    }

    private void limits(JavalinConfig javalin) {
        javalin.startup.showJavalinBanner = false;
        javalin.startup.showOldJavalinVersionWarning = false;
        javalin.startup.startupWatcherEnabled = false;
        javalin.concurrency.useVirtualThreads = true;
        javalin.jetty.host = config.host();
        javalin.jetty.port = config.port();
        javalin.jetty.multipartConfig.maxTotalRequestSize(
                config.limits().uploadSize().bytes(), SizeUnit.BYTES);
        javalin.jetty.multipartConfig.maxFileSize(config.limits().uploadSize().bytes(), SizeUnit.BYTES);
        // Jetty's default for parts that are not files is less than a text of a record may have.
        javalin.jetty.modifyServletContextHandler(context ->
                context.setMaxFormContentSize(config.limits().uploadSize().toInt()));
        if (uploads != null) {
            javalin.jetty.multipartConfig.cacheDirectory(uploads.toString());
        }
        javalin.jetty.modifyHttpConfiguration(http -> {
            http.setUriCompliance(URIS);
            http.setIdleTimeout(config.limits().idleTimeout().toMillis());
            http.setSendServerVersion(false);
            http.setSendDateHeader(true);
        });
        javalin.http.maxRequestSize = config.limits().bodySize().bytes();
        javalin.http.prefer405over404 = true;
        javalin.http.compressionStrategy = compression();
        javalin.router.javaLangErrorHandler(ProblemMapper::answerError);
        javalin.jsonMapper(new JsonBody());
    }

    /** Without event streams, whose messages the compressor would buffer. */
    private static CompressionStrategy compression() {
        var compression = new CompressionStrategy(null, new Gzip(4));
        var excluded = new ArrayList<>(compression.getExcludedMimeTypes());
        excluded.add("text/event-stream");
        compression.setExcludedMimeTypes(excluded);
        return compression;
    }

    private void jetty(Server server, RequestDeadline deadline) {
        server.insertHandler(new GracefulHandler());
        server.insertHandler(deadline);
        server.addBean(new NetworkConnectionLimit(config.limits().maxConnections(), server));
        server.setStopTimeout(config.limits().drainTimeout().toMillis());
        server.setErrorHandler(new JettyProblems());
    }

    private void requests(JavalinConfig javalin, Drain drain, ClientAddress addresses) {
        before(javalin.routes, addresses);
        javalin.routes.beforeMatched(new ParameterContract());
        new ProblemMapper(errorPage).register(javalin.routes);
        new OperatorRoutes(new Readiness(db, drain, migrated), meters, addresses, config).register(javalin.routes);
        new DocsRoutes(assets).register(javalin.routes);
        assets.register(javalin.routes);
        routes.forEach(feature -> feature.register(javalin.routes));
        answerHead(javalin);
        javalin.requestLogger.http(new HttpMetrics(meters));
    }

    /**
     * Lets HEAD answer as GET does; Jetty leaves the body out. Without a route of its own, Javalin answers 200 to every HEAD of an
     * address that has a GET, whatever that would say.
     */
    private static void answerHead(JavalinConfig javalin) {
        for (var get : RouteIndex.endpoints(javalin.unsafe)) {
            if (get.method.equals(HandlerType.GET)) {
                javalin.routes.addEndpoint(
                        new Endpoint(HandlerType.HEAD, get.path, get.handler, Set.of(HttpServer.HeadOfGet.ROUTE)));
            }
        }
    }

    /**
     * The order matters: a refusal has the id and headers that earlier handlers set. They are one handler to Javalin, which
     * would otherwise match the path for each of them.
     */
    private void before(RoutesConfig javalin, ClientAddress addresses) {
        var limiter = rateLimiter == null ? new RateLimiter(config.rateLimit(), clock) : rateLimiter;
        var handlers = List.<Handler>of(
                new RequestId(),
                RequestLanguage.handler(language),
                new SecurityHeaders(config),
                HttpServerBuilder::refuseNul,
                limiter.handler(identity, addresses),
                new CrossSite(config, crossSitePaths));
        javalin.before(ctx -> {
            for (var handler : handlers) {
                handler.handle(ctx);
            }
        });
    }

    /** PostgreSQL cannot store a NUL, so none in the path or the query may reach a statement. */
    private static void refuseNul(Context ctx) {
        var query = ctx.queryString();
        if (ctx.req().getRequestURI().contains("%00") || (query != null && query.contains("%00"))) {
            throw HttpProblem.badText();
        }
    }
}
