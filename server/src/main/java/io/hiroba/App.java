package io.hiroba;

import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.Progress;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.events.Bell;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.RedisBell;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.mail.Mailer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The composition root: one node of Hiroba, wired with plain constructors. */
public final class App implements AutoCloseable {

    /** The schemas to migrate, in an order in which each may point at those before it. */
    public static final List<String> SCHEMAS = List.of("platform", "accounts");

    private static final Duration WORKER_LEASE = Duration.ofSeconds(30);

    private final Closing closing;
    private final HttpServer http;
    private final String host;

    private App(Closing closing, HttpServer http, String host) {
        this.closing = closing;
        this.http = http;
        this.host = host;
    }

    /** Starts a node and returns when it answers requests. What was opened before a failure is closed again. */
    public static App start(AppConfig config, Clock clock, Progress progress) {
        var closing = new Closing();
        try {
            return wire(config, clock, progress, closing);
        } catch (Throwable failure) {
            closing.close();
            throw failure;
        }
    }

    private static App wire(AppConfig config, Clock clock, Progress progress, Closing closing) {
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var db = closing.add(Db.open(database(config, progress, closing)));
        progress.step("migrating the database");
        Migrations.run(db.dataSource(), SCHEMAS);

        var ids = closing.add(new WorkerLease(db, clock, WORKER_LEASE)).ids();
        var bell = config.redis().isConfigured()
                ? closing.add(new RedisBell(config.redis().url()))
                : new Bell();
        closing.add(new Events(db, config.events(), clock, meters, bell));
        closing.add(new Mailer(db, ids, config.mail(), config.data().resolve("mail"), meters));

        progress.step("listening");
        var http = HttpServer.builder(config.http(), db)
                .meters(meters)
                .clock(clock)
                .build();
        closing.add(http);
        http.start();
        return new App(closing, http, config.http().host());
    }

    private static DatabaseConfig database(AppConfig config, Progress progress, Closing closing) {
        var database = config.database();
        if (!database.url().isEmpty()) {
            progress.step("connecting to the database");
            return DatabaseCheck.pass(database);
        }
        var embedded = new EmbeddedConfig(config.data().resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true);
        var postgres = closing.add(EmbeddedPostgres.start(embedded, progress));
        return DatabaseCheck.pass(new DatabaseConfig(
                postgres.jdbcUrl("postgres"),
                postgres.user(),
                postgres.password(),
                database.poolSize(),
                database.statementTimeout(),
                database.idleInTransactionTimeout()));
    }

    /** Where this node answers. */
    public URI address() {
        return URI.create("http://%s:%d".formatted(host, http.port()));
    }

    /** Drains requests and background work, then stops the embedded database. */
    @Override
    public void close() {
        closing.close();
    }
}
