package io.hiroba;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.DataExportModule;
import io.hiroba.accounts.FirstAdmin;
import io.hiroba.activity.ActivityModule;
import io.hiroba.agents.AgentsModule;
import io.hiroba.backup.BackupModule;
import io.hiroba.deletion.DeletionModule;
import io.hiroba.demo.Demo;
import io.hiroba.inbox.InboxModule;
import io.hiroba.knowledge.KnowledgeModule;
import io.hiroba.mcp.McpModule;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.config.EffectiveSetting;
import io.hiroba.platform.config.LoadedConfig;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.PostgresCommitSignal;
import io.hiroba.platform.events.RedisCommitSignal;
import io.hiroba.platform.events.RedisConfig;
import io.hiroba.platform.grpc.CallAuthentication;
import io.hiroba.platform.grpc.CallRateLimit;
import io.hiroba.platform.grpc.CallTracing;
import io.hiroba.platform.grpc.GrpcServer;
import io.hiroba.platform.grpc.GrpcService;
import io.hiroba.platform.http.Assets;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.live.StreamRoutes;
import io.hiroba.platform.log.LogFiles;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.secrets.Encryption;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.platform.web.Badges;
import io.hiroba.platform.web.ErrorPages;
import io.hiroba.platform.web.LanguageRoutes;
import io.hiroba.platform.web.ScriptMessages;
import io.hiroba.platform.web.Shell;
import io.hiroba.platform.web.StyleGuide;
import io.hiroba.platform.web.Templates;
import io.hiroba.platform.web.ThemeRoutes;
import io.hiroba.records.RecordsModule;
import io.hiroba.saga.SagaModule;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.search.SiteSearchModule;
import io.hiroba.social.SocialModule;
import io.hiroba.system.SystemModule;
import io.hiroba.webhooks.WebhooksModule;
import io.javalin.util.JavalinException;
import io.lettuce.core.RedisException;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The composition root: one node of Hiroba, made of the modules of its features. */
public final class App implements AutoCloseable {

    /** The schemas to migrate, in an order in which each may point at those before it. */
    public static final List<String> SCHEMAS = List.of(
            "platform accounts social activity saga records knowledge inbox webhooks agents demo".split(" ", -1));

    private static final Duration WORKER_LEASE = Duration.ofSeconds(30);

    /** Event streams that one user may have open on a node: a window or a program each. */
    private static final int MAX_STREAMS_PER_USER = 10;

    private final ResourceStack resources;
    private final HttpServer http;
    private final Optional<GrpcServer> grpc;
    private final AppConfig config;
    private final FirstAdmin.Result admin;
    private final Demo demo;

    private App(
            ResourceStack resources,
            HttpServer http,
            Optional<GrpcServer> grpc,
            AppConfig config,
            FirstAdmin.Result admin,
            Demo demo) {
        this.resources = resources;
        this.http = http;
        this.grpc = grpc;
        this.config = config;
        this.admin = admin;
        this.demo = demo;
    }

    /**
     * Starts a node and returns when it answers requests. What was opened before a failure is closed again.
     *
     * @param progress receives the steps that take a while
     */
    public static App start(LoadedConfig<AppConfig> config, Clock clock, Consumer<Text> progress) {
        return start(config, clock, progress, new ResourceStack());
    }

    /** As above, with a configuration that came from nowhere, and so shows no settings. */
    public static App start(AppConfig config, Clock clock, Consumer<Text> progress) {
        return start(config, new Origin(List.of(), Map.of(), Optional.empty()), clock, progress, new ResourceStack());
    }

    /** As above; closing {@code resources} from another thread ends the start. */
    static App start(LoadedConfig<AppConfig> config, Clock clock, Consumer<Text> progress, ResourceStack resources) {
        var origin = new Origin(config.settings(), config.environment(), config.file());
        resources.add(config.keepSecrets());
        return start(config.value(), origin, clock, progress, resources);
    }

    /** The settings as people see them, and the variables and the file that they were read from. */
    private record Origin(List<EffectiveSetting> settings, Map<String, String> environment, Optional<Path> file) {}

    private static App start(
            AppConfig config, Origin origin, Clock clock, Consumer<Text> progress, ResourceStack resources) {
        try {
            return compose(config, origin, clock, progress, resources);
        } catch (Throwable failure) {
            resources.close();
            throw failure;
        }
    }

    private static App compose(
            AppConfig config, Origin origin, Clock clock, Consumer<Text> progress, ResourceStack resources) {
        var meters = meters(resources);
        new DiskSpaceMetrics(config.data().toFile()).bindTo(meters);
        // Closed last of all: what stops is traced as well.
        var tracing = resources.add(Tracing.open(config.tracing(), meters));
        var startLog = config.data().resolve("log").resolve("start.log");
        resources.add(WorkLoop.every(LogFiles.INTERVAL, "start log", () -> LogFiles.trimStart(startLog, config.log())));
        var database = NodeDatabase.open(config, origin.environment(), meters, progress, resources);

        var pools = database.pools();
        var db = resources.add(Db.open(database.withPoolSize(pools.requests()), meters));
        var leases = resources.add(Db.open(database.withPoolSize(pools.leases())));
        var lease = resources.add(new WorkerLease(leases, clock, WORKER_LEASE));
        var ids = lease.ids();
        var commits = commitSignal(config.redis(), db, database, resources);
        var events = resources.add(new Events(db, config.events(), clock, meters, commits, tracing));
        var mail = config.data().resolve("mail");
        var platform = new Platform(
                db,
                leases,
                database,
                config.data(),
                ids,
                clock,
                events.log(),
                commits,
                resources.add(new Mailer(db, ids, config.mail(), mail, meters)),
                meters,
                new Throttle(db, clock),
                new Idempotency(db, clock, lease.node()),
                new Cursors(new SecretStore(db)),
                new EventStreams(MAX_STREAMS_PER_USER),
                new ClientAddress(config.http().trustedProxies()),
                new Assets(),
                config.http(),
                Encryption.open(db, config.secrets().fileIn(config.data())),
                tracing,
                resources);

        ScriptMessages.addTo(platform.assets(), SCHEMAS);
        var accounts = new AccountsModule(
                platform,
                config.accounts(),
                SocialModule.userCounts(db),
                KnowledgeModule.aiUsage(db, config.knowledge()));
        var users = accounts.users();
        var readers = accounts.readers();
        var social = new SocialModule(platform, users, readers, accounts.directory(), config.social(), config.media());
        var activity = new ActivityModule(platform, users, readers, social, config.activity());
        var records = new RecordsModule(platform, users, readers, social.attachments(), social::thumbnail);
        var knowledge = new KnowledgeModule(
                platform,
                users,
                readers,
                config.knowledge(),
                social.originals(),
                PortAdapters.records(records.texts()));
        var localSteps = resources.add(new LocalSteps());
        var saga = new SagaModule(platform, readers, config.saga(), localSteps);
        var agents = new AgentsModule(
                platform,
                accounts,
                social,
                knowledge,
                config.agents(),
                config.knowledge().chat());
        agents.connectSagas(saga::initiator, saga::awaited);
        var ports = PortAdapters.inbox(
                saga.roles(), saga.approvals(), agents.approvals(), social.posts(), knowledge, records.previews());
        var inbox = new InboxModule(platform, users, readers, config.inbox(), ports);
        agents.connectInbox(PortAdapters.items(inbox.inbox()));
        var deletion = new DeletionModule(platform, accounts, saga, PortAdapters.successions(records, knowledge));
        // Social before accounts: /users/friends would otherwise be taken for the user "friends".
        var publishers = List.of(social, accounts, activity, records, knowledge, saga, inbox, deletion);
        var webhooks = new WebhooksModule(
                platform,
                users,
                readers,
                config.webhooks(),
                all(publishers, FeatureModule::publishedEvents),
                config.events().retention());
        var backup = new BackupModule(
                config.backup(), config.backupSources(origin.file()), platform.db(), platform.events(), clock, meters);
        var features = Stream.<FeatureModule>concat(publishers.stream(), Stream.of(webhooks, agents, backup))
                .toList();
        var parts = all(features, FeatureModule::exports);
        var exports = new DataExportModule(platform, accounts, social.archives(), parts);
        var system = new SystemModule(platform, lease, events, features, origin.settings(), config.updates());
        var search = new SiteSearchModule(all(features, FeatureModule::searchSources));
        var mcp = new McpModule(config.mcp(), config.http(), platform.streams());
        var modules = Stream.concat(features.stream(), Stream.of(exports, system, search, mcp))
                .toList();

        all(modules, FeatureModule::sagaSteps).forEach(localSteps::register);
        modules.forEach(module -> module.start(resources));
        resources.add(platform.encryption().start());
        modules.forEach(module -> module.consumers().forEach(events::consume));

        progress.accept(Text.of("server.step.listening"));
        var prepared = new AtomicBoolean();
        var shell = new Shell(
                new Templates(),
                platform.assets()::url,
                readers,
                all(modules, FeatureModule::navigation),
                Badges.all(modules.stream().map(FeatureModule::badges).toList()),
                config.http().isSecure());
        var limiter = new RateLimiter(config.http().rateLimit(), clock);
        var builder = HttpServer.builder(config.http(), db)
                .rateLimiter(limiter)
                .meters(meters)
                .clock(clock)
                .tracing(tracing)
                .assets(platform.assets())
                .identity(accounts.authentication())
                .uploads(social.uploadFolder())
                .errorPage(new ErrorPages(shell))
                .language(readers::language)
                .routes(all(modules, FeatureModule::routes))
                .routes(all(modules, module -> module.pages(shell)))
                .routes(new StreamRoutes(
                        platform.streams(),
                        ctx -> Caller.of(ctx).user().hex(),
                        all(modules, FeatureModule::liveSources)))
                .routes(
                        new ThemeRoutes(shell),
                        new LanguageRoutes(shell, readers),
                        new StyleGuide(shell, config.http()))
                .migrated(prepared::get);
        all(modules, FeatureModule::crossSitePaths).forEach(builder::allowCrossSite);
        var http = resources.add(builder.build());
        http.drain().onBegin(platform.streams()::end);
        agents.connect(http::calls);
        var callers = accounts.grpcAuthentication();
        var callLimits = new CallRateLimit(limiter, platform.addresses(), callers);
        var grpc =
                grpc(config, callLimits, callers, new CallTracing(tracing), all(modules, FeatureModule::grpcServices));
        grpc.ifPresent(resources::add);
        listen(http, config.http());
        // Only now: a password that is generated must be shown, and a start that fails shows nothing.
        var admin = accounts.firstAdmin().ensure(config.admin());
        prepared.set(true);
        backup.startSchedule(resources);
        var demo = resources.add(new Demo(platform, users, accounts.credentials(), accounts.aiModels())
                .answering(agents::adopt)
                .keeping(records::exampleProjects)
                .keeping(saga::exampleSagas)
                .keeping(knowledge::exampleSources));
        // Closed first: the node is not ready for a while before anything of it stops.
        resources.add(() -> {
            grpc.ifPresent(GrpcServer::announceStop);
            http.drain().announce();
        });
        return new App(resources, http, grpc, config, admin, demo);
    }

    private static <T> List<T> all(List<? extends FeatureModule> modules, Function<FeatureModule, List<T>> parts) {
        return modules.stream().flatMap(module -> parts.apply(module).stream()).toList();
    }

    /** The registry that {@code /metrics} shows, with what background work counts globally. */
    private static PrometheusMeterRegistry meters(ResourceStack resources) {
        var meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Metrics.addRegistry(meters);
        resources.add(() -> Metrics.removeRegistry(meters));
        return meters;
    }

    private static void listen(HttpServer http, HttpConfig config) {
        try {
            http.start();
        } catch (JavalinException e) {
            throw new StartException(
                    Text.of("server.start.port-taken", "host", config.host(), "port", Integer.toString(config.port())),
                    e);
        }
    }

    private static Optional<GrpcServer> grpc(
            AppConfig config,
            CallRateLimit limits,
            CallAuthentication callers,
            CallTracing tracing,
            List<GrpcService> services) {
        var grpc = config.grpc();
        if (!grpc.enabled()) {
            return Optional.empty();
        }
        int port = grpc.portBeside(config.http().port());
        try {
            var drain = config.http().limits().drainTimeout();
            return Optional.of(GrpcServer.start(grpc, port, drain, limits, callers, tracing, services));
        } catch (IOException e) {
            throw new StartException(
                    Text.of("server.start.grpc-port-taken", "host", grpc.host(), "port", Integer.toString(port)), e);
        }
    }

    private static CommitSignal commitSignal(
            RedisConfig config, Db db, DatabaseConfig database, ResourceStack resources) {
        if (!config.isConfigured()) {
            return resources.add(new PostgresCommitSignal(db, database));
        }
        try {
            return resources.add(RedisCommitSignal.connect(config.url()));
        } catch (RedisException e) {
            throw new StartException(Text.of("server.start.no-redis"), e);
        }
    }

    /** Where this node answers. */
    public URI address() {
        return URI.create("http://%s:%d".formatted(config.http().host(), http.port()));
    }

    /** Where this node answers over gRPC, if it does. */
    public Optional<URI> grpcAddress() {
        var scheme = config.grpc().tls().isConfigured() ? "grpcs" : "grpc";
        return grpc.map(server ->
                URI.create("%s://%s:%d".formatted(scheme, config.grpc().host(), server.port())));
    }

    /** The HTTP server, for its routes. */
    HttpServer http() {
        return http;
    }

    /** The administrator of this Hiroba, and the password if it was generated just now. */
    public FirstAdmin.Result admin() {
        return admin;
    }

    /** Fills the demo community while requests are answered; returns when that is done or this node closes. */
    public Demo.Result fillDemo(Demo.Progress progress) {
        return demo.fill(admin.email(), progress);
    }

    /** Drains requests and background work, then stops the embedded database. */
    @Override
    public void close() {
        resources.close();
    }
}
