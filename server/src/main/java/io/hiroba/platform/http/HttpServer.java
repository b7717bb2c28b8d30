package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import io.javalin.Javalin;
import java.util.List;

/** The HTTP server: puts the concerns of every request in order around the features' routes. */
public final class HttpServer implements AutoCloseable {

    private final Drain drain;
    private final Javalin javalin;
    private final List<AutoCloseable> companions;
    private volatile int port;

    HttpServer(Javalin javalin, Drain drain, List<AutoCloseable> companions) {
        this.javalin = javalin;
        this.drain = drain;
        this.companions = companions;
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

    /** For answers that would otherwise outlive the server. */
    public Drain drain() {
        return drain;
    }

    /** Every route that is registered, for holding them equal to the API's document. */
    public List<RouteName> routes() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream()
                .map(handler -> handler.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod())
                .map(endpoint -> new RouteName(endpoint.method.name(), endpoint.path))
                .toList();
    }

    /** Stops taking requests, lets those under way finish within the drain timeout, and ends. */
    @Override
    public void close() {
        drain.begin();
        javalin.stop();
        companions.forEach(HttpServer::closeQuietly);
    }

    private static void closeQuietly(AutoCloseable companion) {
        try {
            companion.close();
        } catch (Exception e) {
            throw new IllegalStateException("cannot stop " + companion, e);
        }
    }

    /** A method and a path as they were registered. */
    public record RouteName(String method, String path) {}
}
