package io.hiroba;

import io.grpc.ServerInterceptor;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.FirstAdmin;
import io.hiroba.accounts.pages.AccountsNav;
import io.hiroba.activity.digest.UnsubscribePages;
import io.hiroba.activity.pages.ActivityNav;
import io.hiroba.activity.pages.UnreadBadge;
import io.hiroba.demo.Demo;
import io.hiroba.embedded.EmbeddedConfig;
import io.hiroba.embedded.EmbeddedPostgres;
import io.hiroba.embedded.Progress;
import io.hiroba.inbox.gitlab.connections.Connections;
import io.hiroba.inbox.pages.InboxNav;
import io.hiroba.inbox.pages.TodoBadge;
import io.hiroba.inbox.people.Farewell;
import io.hiroba.knowledge.Departure;
import io.hiroba.knowledge.pages.KnowledgeNav;
import io.hiroba.knowledge.search.Search;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.db.DatabaseCheck;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Migrations;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.RedisCommitSignal;
import io.hiroba.platform.events.RedisConfig;
import io.hiroba.platform.grpc.GrpcServer;
import io.hiroba.platform.grpc.GrpcService;
import io.hiroba.platform.http.Assets;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Secrets;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.live.StreamRoutes;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.ErrorPages;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.StyleGuide;
import io.hiroba.platform.web.Templates;
import io.hiroba.platform.web.ThemeRoutes;
import io.hiroba.records.pages.RecordsNav;
import io.hiroba.records.query.Queries;
import io.hiroba.saga.SagaModule;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.social.pages.SocialNav;
import io.javalin.util.JavalinException;
import io.lettuce.core.RedisException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;

/** The composition root: one node of Hiroba, wired with plain constructors. */
public final class App implements AutoCloseable {

    /** The schemas to migrate, in an order in which each may point at those before it. */
    public static final List<String> SCHEMAS =
            List.of("platform", "accounts", "social", "activity", "saga", "records", "knowledge", "inbox", "demo");

    private static final Duration WORKER_LEASE = Duration.ofSeconds(30);

    /** Event streams that one user may have open on a node: a window or a program each. */
    private static final int MAX_STREAMS_PER_USER = 10;

    private final ResourceStack closing;
    private final HttpServer http;
    private final Optional<GrpcServer> grpc;
    private final AppConfig config;
    private final FirstAdmin.Outcome admin;
    private final Demo demo;

    private App(
            ResourceStack closing,
            HttpServer http,
            Optional<GrpcServer> grpc,
            AppConfig config,
            FirstAdmin.Outcome admin,
            Demo demo) {
        this.closing = closing;
        this.http = http;
        this.grpc = grpc;
        this.config = config;
        this.admin = admin;
        this.demo = demo;
    }

    /** Starts a node and returns when it answers requests. What was opened before a failure is closed again. */
    public static App start(AppConfig config, Clock clock, Progress progress) {
        return start(config, clock, progress, new ResourceStack());
    }

    /** As above; closing {@code closing} from another thread ends the start. */
    static App start(AppConfig config, Clock clock, Progress progress, ResourceStack closing) {
        try {
            return wire(config, clock, progress, closing);
        } catch (Throwable failure) {
            closing.close();
            throw failure;
        }
    }

    private static App wire(AppConfig config, Clock clock, Progress progress, ResourceStack closing) {
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var database = database(config, progress, closing);
        progress.step("migrating the database");
        migrate(database);

        var db = closing.add(Db.open(database));
        var leases = closing.add(Db.open(database.withPoolSize(2)));
        var ids = closing.add(new WorkerLease(leases, clock, WORKER_LEASE)).ids();
        var events = closing.add(new Events(db, config.events(), clock, meters, bell(config.redis(), closing)));
        var mailer =
                closing.add(new Mailer(db, ids, config.mail(), config.data().resolve("mail"), meters));
        var platform = new Platform(
                db,
                leases,
                database,
                config.data(),
                ids,
                clock,
                events.log(),
                mailer,
                meters,
                new Throttle(db, clock),
                new Idempotency(db, clock),
                new Cursors(new Secrets(db)),
                new EventStreams(MAX_STREAMS_PER_USER),
                new ClientAddress(config.http().trustedProxies()),
                new Assets(),
                config.http(),
                closing);
        var accounts = new AccountsWiring(platform, config.accounts());
        closing.add(accounts.sweep());
        var social = new SocialWiring(platform, accounts.users, config.social());
        social.consume(events);
        closing.add(social.folding());
        closing.add(social.searchUpkeep());
        var media = new MediaWiring(platform, accounts.users, config.media(), config.data());
        closing.add(media.storage);
        closing.add(media.sweep());
        closing.add(social.live);
        var activity = new ActivityWiring(platform, accounts.users, config.activity());
        activity.consume(events);
        closing.add(activity.retention());
        closing.add(activity.digests());
        closing.add(activity.live);
        var walks = closing.add(Db.open(database.withPoolSize(RecordsWiring.WALKS), Queries.PLANNER));
        var records = new RecordsWiring(platform, walks, accounts.users);
        records.background().forEach(closing::add);
        var near = closing.add(Db.open(database.withPoolSize(KnowledgeWiring.SEARCHES), Search.PLANNER));
        var knowledge = new KnowledgeWiring(platform, near, accounts.users, config.knowledge(), meters);
        knowledge.consume(events);
        knowledge.background().forEach(closing::add);
        var steps = closing.add(new LocalSteps());
        new FarewellSteps(accounts.users, social.posts, records.projects, new Departure(db), new Farewell(db))
                .register(steps);
        var saga = new SagaModule(platform, accounts.readers, config.saga(), steps);
        saga.start(closing);
        var farewell = new AccountFarewell(db, accounts.users, accounts.credentials, accounts.sessions, saga.sagas());
        farewell.register(saga.workflows());
        var transfer = new TransferWiring(platform, records, accounts.users);
        transfer.consume(events);
        var inbox = new InboxWiring(
                platform,
                accounts.users,
                config.inbox(),
                InboxSurroundings.of(saga.roles(), knowledge, records, social.posts),
                new InboxNeighbours(saga.roles(), social.posts),
                meters);
        inbox.consume(events);
        inbox.background().forEach(closing::add);
        closing.add(transfer.worker());
        closing.add(transfer.sweep());

        progress.step("listening");
        var prepared = new AtomicBoolean();
        var shell = new Shell(
                new Templates(),
                platform.assets()::url,
                accounts.readers,
                Stream.of(
                                AccountsNav.ITEMS,
                                SocialNav.ITEMS,
                                ActivityNav.ITEMS,
                                InboxNav.ITEMS,
                                RecordsNav.ITEMS,
                                KnowledgeNav.ITEMS,
                                saga.navigation())
                        .flatMap(List::stream)
                        .toList(),
                Badges.all(List.of(new UnreadBadge(activity.notifications), new TodoBadge(inbox.items.inbox))),
                saga.invitations(),
                config.http().isSecure());
        var activityPages = new ActivityPagesWiring(shell, platform, accounts, social.posts, activity);
        var http = HttpServer.builder(config.http(), db)
                .meters(meters)
                .clock(clock)
                .assets(platform.assets())
                .identity(accounts.authentication)
                .uploads(media.uploads.folder())
                .errorPage(new ErrorPages(shell))
                // Before accounts: /users/friends would otherwise be taken for the user "friends".
                .routes(social.routes())
                .routes(accounts.routes(farewell))
                .routes(accounts.pages(shell))
                .routes(media.routes())
                .routes(media.pages(shell))
                .routes(social.pages(shell, accounts, activityPages.attention))
                .routes(activity.routes())
                .routes(saga.routes())
                .routes(records.routes())
                .routes(transfer.routes())
                .routes(knowledge.routes())
                .routes(inbox.routes())
                .routes(activity.pages(shell))
                .routes(activityPages.routes())
                .routes(saga.pages(shell))
                .routes(new RecordsPagesWiring(shell, platform, accounts, records, transfer).routes())
                .routes(new KnowledgePagesWiring(shell, platform, accounts, knowledge, config.knowledge()).routes())
                .routes(new InboxPagesWiring(shell, accounts, inbox).routes())
                .fromAnySite(UnsubscribePages.PATH)
                .fromAnySite(Connections.HOOKS)
                .routes(new StreamRoutes(
                        platform.streams(),
                        ctx -> Caller.of(ctx).user().hex(),
                        List.of(activity.source(), social.source(), inbox.items.live.source())))
                .routes(new ThemeRoutes(shell), new StyleGuide(shell, config.http()))
                .migrated(prepared::get)
                .build();
        http.drain().onBegin(platform.streams()::end);
        closing.add(http);
        var grpc = grpc(config, accounts.callers(), saga.grpcServices());
        grpc.ifPresent(closing::add);
        listen(http, config.http());
        // Only now: a password that is generated must be shown, and a start that fails shows nothing.
        var admin = accounts.firstAdmin.ensure(config.admin());
        prepared.set(true);
        var demo = closing.add(accounts.demo(leases));
        return new App(closing, http, grpc, config, admin, demo);
    }

    private static void migrate(DatabaseConfig database) {
        try {
            Migrations.run(database, SCHEMAS);
        } catch (FlywayException e) {
            throw new StartException("The database could not be migrated: " + e.getMessage(), e);
        }
    }

    private static void listen(HttpServer http, HttpConfig config) {
        try {
            http.start();
        } catch (JavalinException e) {
            throw new StartException(
                    "Nothing can listen on %s port %d: choose another with --port or --host, or stop the program that has it."
                            .formatted(config.host(), config.port()),
                    e);
        }
    }

    private static Optional<GrpcServer> grpc(AppConfig config, ServerInterceptor callers, List<GrpcService> services) {
        var grpc = config.grpc();
        if (!grpc.enabled()) {
            return Optional.empty();
        }
        int port = grpc.portBeside(config.http().port());
        try {
            return Optional.of(
                    GrpcServer.start(grpc, port, config.http().limits().drainTimeout(), callers, services));
        } catch (IOException e) {
            throw new StartException(
                    "Nothing can listen on %s port %d for gRPC: choose another with --grpc.port, do without with --grpc.enabled=false, or stop the program that has it."
                            .formatted(grpc.host(), port),
                    e);
        }
    }

    private static CommitSignal bell(RedisConfig config, ResourceStack closing) {
        if (!config.isConfigured()) {
            return new CommitSignal();
        }
        try {
            return closing.add(RedisCommitSignal.connect(config.url()));
        } catch (RedisException e) {
            throw new StartException(
                    "No Redis answers at the configured redis.url: start it, mend the URL, or leave it empty to do without.",
                    e);
        }
    }

    private static DatabaseConfig database(AppConfig config, Progress progress, ResourceStack closing) {
        var database = config.database();
        if (!database.url().isEmpty()) {
            progress.step("connecting to the database");
            return DatabaseCheck.pass(database);
        }
        var embedded = new EmbeddedConfig(config.data().resolve("postgres"), EmbeddedConfig.defaultCacheDir(), true);
        var postgres = closing.add(EmbeddedPostgres.start(embedded, progress));
        return DatabaseCheck.pass(database.at(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password()));
    }

    /** Where this node answers. */
    public URI address() {
        return URI.create("http://%s:%d".formatted(config.http().host(), http.port()));
    }

    /** Where this node answers over gRPC, if it does. */
    public Optional<URI> grpcAddress() {
        return grpc.map(
                server -> URI.create("grpc://%s:%d".formatted(config.grpc().host(), server.port())));
    }

    /** The HTTP server, for its routes. */
    HttpServer http() {
        return http;
    }

    /** Who can administer this Hiroba, and the password if it was generated just now. */
    public FirstAdmin.Outcome admin() {
        return admin;
    }

    /** Fills the demo community while requests are answered; returns when that is done or this node closes. */
    public Demo.Outcome fillDemo(Demo.Progress progress) {
        return demo.fill(admin.email(), progress);
    }

    /** Drains requests and background work, then stops the embedded database. */
    @Override
    public void close() {
        closing.close();
    }
}
