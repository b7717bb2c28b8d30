package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import io.javalin.Javalin;
import io.javalin.router.EndpointMetadata;
import java.util.List;

/** The HTTP server with the routes of all features. */
public final class HttpServer implements AutoCloseable {

    private final Drain drain;
    private final Javalin javalin;
    private final List<AutoCloseable> resources;
    private volatile int port;

    HttpServer(Javalin javalin, Drain drain, List<AutoCloseable> resources) {
        this.javalin = javalin;
        this.drain = drain;
        this.resources = resources;
    }

    public static HttpServerBuilder builder(HttpConfig config, Db db) {
        return new HttpServerBuilder(config, db);
    }

    public HttpServer start() {
        javalin.start();
        port = javalin.port();
        return this;
    }

    /** The port in use, which differs from the configured one if that is 0. */
    public int port() {
        return port;
    }

    /** Calls of the API within the process, with this {@code Authorization}, that no request led to. */
    public InternalCalls calls(String authorization) {
        return BackgroundCalls.of(javalin, authorization);
    }

    /** For responses that would not end by themselves. */
    public Drain drain() {
        return drain;
    }

    /** All routes that features registered; a test compares them with the OpenAPI document. */
    public List<RouteName> routes() {
        return RouteIndex.endpoints(javalin.unsafe).stream()
                .filter(endpoint -> endpoint.method.isHttpMethod() && endpoint.metadata(HeadOfGet.class) == null)
                .map(endpoint -> new RouteName(endpoint.method.name(), endpoint.path))
                .toList();
    }

    /** Stops accepting requests and lets running ones finish within the drain timeout. */
    @Override
    public void close() {
        drain.begin();
        javalin.stop();
        resources.forEach(HttpServer::closeQuietly);
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot stop " + resource, e);
        }
    }

    /** The mark of a HEAD that answers as the GET of its path. */
    enum HeadOfGet implements EndpointMetadata {
        ROUTE
    }

    /** A method and a path as they were registered. */
    public record RouteName(String method, String path) {}
}
