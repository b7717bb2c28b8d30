package io.hiroba.saga;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.grpc.GrpcService;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.ServiceCaller;
import io.hiroba.saga.call.ServiceSecrets;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.call.WorkerTasks;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.pages.SagaPagesModule;
import io.hiroba.saga.pages.SchedulePages;
import io.hiroba.saga.schedule.Schedules;
import io.hiroba.saga.workflow.Workflows;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToLongBiFunction;
import java.util.stream.Stream;

/** Composes sagas: the engine, the calls of services, the registered workflows, their API and their pages. */
public final class SagaModule implements FeatureModule {

    private static final int MAX_COUNTED = 1000;

    private final Platform platform;
    private final Readers readers;
    private final SagaConfig config;
    private final Workflows workflows;
    private final WorkflowWarnings warnings;
    private final SagaRoles roles;
    private final SagaWatches watches;
    private final Services services;
    private final ServiceSecrets secrets;
    private final WorkerTasks tasks;
    private final ServiceCaller caller;
    private final Engine engine;
    private final Sagas sagas;
    private final OpenCallStore calls = new OpenCallStore();
    private final SagaQueries queries;
    private final Approvals approvals;
    private final Schedules schedules;
    private final SagaPagesModule pages;

    /** @param local complete before {@link #start}: sagas may be waiting for its steps already */
    public SagaModule(Platform platform, Readers readers, SagaConfig config, LocalSteps local) {
        this.platform = platform;
        this.readers = readers;
        this.config = config;
        var db = platform.db();
        workflows = new Workflows(db);
        roles = new SagaRoles(db);
        watches = new SagaWatches(db, roles, platform.commits());
        services = new Services(db, roles, local, config.services(), platform.encryption());
        secrets = new ServiceSecrets(db, services, platform.encryption(), new AuditLog(db));
        tasks = new WorkerTasks(db, roles, services, new SecretStore(db), platform.commits(), config.maskedFields());
        platform.streams().onEnd(tasks::stopWaiting);
        caller = new ServiceCaller(local, services, platform.clock(), config.maskedFields(), tasks);
        engine = new Engine(
                new Engine.Parts(
                        db,
                        platform.leases(),
                        platform.clock(),
                        platform.ids(),
                        workflows,
                        caller,
                        watches::changed,
                        platform.meters(),
                        platform.tracing()),
                config);
        new SagaQueueMetrics(db).register(platform.meters());
        sagas = new Sagas(db, engine, workflows, roles);
        queries = new SagaQueries(db, workflows, roles);
        approvals = new Approvals(db, platform.clock(), engine, roles);
        schedules = new Schedules(db, engine, workflows, sagas, roles, platform.ids(), platform.commits());
        warnings = new WorkflowWarnings(workflows, services);
        pages = new SagaPagesModule(readers, sagas, queries, approvals, workflows, secrets, platform.cursors());
    }

    public Sagas sagas() {
        return sagas;
    }

    public Workflows workflows() {
        return workflows;
    }

    public Approvals approvals() {
        return approvals;
    }

    /** Makers of sagas, by name, for the demo; each answers the beginning of its id. */
    public Map<String, ToLongBiFunction<Tx, Caller>> exampleSagas() {
        return new ExampleSagas(sagas, workflows).makers();
    }

    /** Who started a saga, if a person did and it is still there. */
    public Optional<UserId> initiator(UUID saga) {
        return queries.initiator(new SagaId(saga));
    }

    /** Those of the keys of calls that execute steps whose outcome their sagas wait for. */
    public Set<String> awaited(Reads reads, Collection<String> keys) {
        return calls.awaited(reads, keys);
    }

    public SagaRoles roles() {
        return roles;
    }

    @Override
    public List<Routes> routes() {
        var cursors = platform.cursors();
        return List.of(
                new WorkflowRoutes(workflows, warnings, cursors),
                new BulkRoutes(sagas.bulk()),
                new SagaRoutes(sagas, queries, platform.idempotency(), cursors),
                new StepRoutes(queries, cursors, platform.clock()),
                new SagaRoleRoutes(roles, cursors),
                new SagaEventRoutes(watches, platform.streams()),
                new ServiceRoutes(services, secrets, cursors),
                new TaskRoutes(tasks),
                new ScheduleRoutes(schedules, platform.idempotency(), cursors, platform.clock()));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return Stream.concat(
                        Stream.of(new SchedulePages(
                                shell, readers, schedules, queries, workflows, roles, platform.cursors())),
                        pages.pages(shell).stream())
                .toList();
    }

    @Override
    public List<NavItem> navigation() {
        return pages.navigation();
    }

    @Override
    public List<GrpcService> grpcServices() {
        return List.of(
                new SagaGrpcService(sagas, queries, workflows, watches, platform.idempotency(), platform.cursors()));
    }

    @Override
    public List<SystemCheck> systemChecks() {
        var counts = platform.db().read(reads -> new SagaQueueStore().counts(reads, MAX_COUNTED + 1));
        return List.of(
                SystemCheck.of(
                                Group.WORK,
                                "sagas",
                                Text.of("saga.system.active"),
                                SystemCheck.counted(counts.active(), MAX_COUNTED))
                        .adviseIf(counts.late() > 0, Text.of("saga.system.late-advice")),
                SystemCheck.of(
                                Group.WORK,
                                "sagas-stuck",
                                Text.of("saga.system.stuck"),
                                SystemCheck.counted(counts.stuck(), MAX_COUNTED))
                        .adviseIf(counts.stuck() > 0, Text.of("saga.system.stuck-advice")));
    }

    @Override
    public Map<String, EventHandler> consumers() {
        return Map.of(SuspendedAssignees.CONSUMER, new SuspendedAssignees(approvals));
    }

    @Override
    public List<LocalSagaStep> sagaSteps() {
        return List.of(LocalSagaStep.of("hiroba", "leave-approvals", input -> {
            approvals.leave(UserId.parse(input.path("user").asString()));
            return input;
        }));
    }

    @Override
    public List<SearchSource> searchSources() {
        return List.of(new SagaSearchSource(queries, roles));
    }

    @Override
    public List<PublishedEvents> publishedEvents() {
        return List.of(new PublishedSagaEvents(roles));
    }

    @Override
    public List<ExportPart> exports() {
        return List.of(SagaExportStore.part(platform.db()));
    }

    /** Registers the workflows of the configured folder, then works on sagas. A bad file stops the start. */
    @Override
    public void start(ResourceStack resources) {
        resources.add(watches).open();
        resources.add(caller);
        resources.add(services.health()).open();
        workflows.load(config.workflows());
        resources.add(engine).open();
        // Closed before it, which lets steps end.
        resources.add(caller::stopping);
        resources.add(tasks).open(engine::wake);
        resources.add(sagas.bulk()).open();
        resources.add(schedules).open();
        var folder = config.archive().toString().isEmpty() ? platform.data().resolve("saga-archive") : config.archive();
        resources.add(new SagaArchive(platform.db(), config.retention(), folder).start());
    }
}
