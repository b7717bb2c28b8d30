package io.hiroba;

import io.hiroba.accounts.FirstAdmin;
import io.hiroba.accounts.pages.AccountsNav;
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
import io.hiroba.platform.http.Assets;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Secrets;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.web.ErrorPages;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.Templates;
import io.hiroba.platform.web.ThemeRoutes;
import io.micrometer.core.instrument.MeterRegistry;
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
    private final FirstAdmin.Outcome admin;

    private App(Closing closing, HttpServer http, String host, FirstAdmin.Outcome admin) {
        this.closing = closing;
        this.http = http;
        this.host = host;
        this.admin = admin;
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

        var platform = platform(config, clock, meters, db, closing);
        var accounts = new AccountsWiring(platform, config.accounts());
        var admin = accounts.firstAdmin.ensure(config.admin());
        closing.add(accounts.sweep());

        progress.step("listening");
        var shell = new Shell(
                new Templates(),
                platform.assets()::url,
                accounts.readers,
                AccountsNav.ITEMS,
                config.http().isSecure());
        var http = HttpServer.builder(config.http(), db)
                .meters(meters)
                .clock(clock)
                .assets(platform.assets())
                .identity(accounts.authentication)
                .errorPage(new ErrorPages(shell))
                .routes(accounts.routes())
                .routes(accounts.pages(shell))
                .routes(new ThemeRoutes(shell))
                .build();
        closing.add(http);
        http.start();
        return new App(closing, http, config.http().host(), admin);
    }

    private static Platform platform(AppConfig config, Clock clock, MeterRegistry meters, Db db, Closing closing) {
        var ids = closing.add(new WorkerLease(db, clock, WORKER_LEASE)).ids();
        var bell = config.redis().isConfigured()
                ? closing.add(new RedisBell(config.redis().url()))
                : new Bell();
        var events = closing.add(new Events(db, config.events(), clock, meters, bell));
        var mailer =
                closing.add(new Mailer(db, ids, config.mail(), config.data().resolve("mail"), meters));
        return new Platform(
                db,
                ids,
                clock,
                events.log(),
                mailer,
                new Throttle(db, clock),
                new Idempotency(db, clock),
                new Cursors(new Secrets(db)),
                new ClientAddress(config.http().trustedProxies()),
                new Assets(),
                config.http());
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

    /** The HTTP server, for its routes. */
    HttpServer http() {
        return http;
    }

    /** Who can administer this Hiroba, and the password if it was generated just now. */
    public FirstAdmin.Outcome admin() {
        return admin;
    }

    /** Drains requests and background work, then stops the embedded database. */
    @Override
    public void close() {
        closing.close();
    }
}
