package io.hiroba.testkit;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.StoredText;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.engine.FaultInjector;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.WorkflowLookup;
import io.hiroba.saga.workflow.Workflows;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import tools.jackson.databind.json.JsonMapper;

/** Sagas on a database of their own, with a service that does what it is told and nodes that can be added and ended. */
public final class TestSagas implements AutoCloseable {

    private static final SagaConfig CONFIG =
            new SagaConfig(512, Duration.ofMillis(50), Path.of(""), Map.of(), Duration.ofDays(90), Path.of(""));

    private static final Caller ADMIN = new Caller(new UserId(1), true, new Caller.ByServer(), null);

    public final Db db;
    public final TestService service = new TestService();
    public final MeterRegistry meters = new SimpleMeterRegistry();
    private Tracing tracing = Tracing.OFF;
    private final WorkerLease lease;
    private final Map<String, Workflow> definitions = new ConcurrentHashMap<>();
    private final List<Engine> nodes = new ArrayList<>();

    /** On {@code database}, which may have been used before and may be used again. */
    public TestSagas(TestDatabase database) {
        db = database.db();
        lease = new WorkerLease(db, Clock.systemUTC(), Duration.ofSeconds(30));
    }

    /** Has nodes that are added from now on trace what they do. */
    public TestSagas traced(Tracing nodes) {
        tracing = nodes;
        return this;
    }

    /** A further node, which works until all is closed. */
    public Engine node() {
        return node(FaultInjector.NONE);
    }

    /** As above, with faults. */
    public Engine node(FaultInjector faults) {
        return node(CONFIG.poll(), faults);
    }

    /** As above, one that looks for due sagas by itself only every {@code poll}. */
    public Engine node(Duration poll) {
        return node(poll, FaultInjector.NONE);
    }

    /** As above, with faults. */
    public Engine node(Duration poll, FaultInjector faults) {
        return node(512, poll, faults);
    }

    /** A node that drives at most {@code concurrency} sagas at once. */
    public Engine node(int concurrency, FaultInjector faults) {
        return node(concurrency, CONFIG.poll(), faults);
    }

    private Engine node(int concurrency, Duration poll, FaultInjector faults) {
        var node = new Engine(
                        new Engine.Parts(
                                db, db, Clock.systemUTC(), lease.ids(), lookup(), service, id -> {}, meters, tracing),
                        new SagaConfig(concurrency, poll, Path.of(""), Map.of(), Duration.ofDays(90), Path.of("")),
                        faults)
                .open();
        nodes.add(node);
        return node;
    }

    private WorkflowLookup lookup() {
        return new WorkflowLookup() {
            @Override
            public Optional<Workflow> find(String name, int version) {
                if (Workflow.isOfStep(name)) {
                    return find(Workflow.registeredName(name), version).flatMap(of -> of.ofEach(name));
                }
                return Optional.ofNullable(definitions.get(name + version));
            }

            @Override
            public Optional<Workflow> startable(Reads reads, String name) {
                return find(name, 1);
            }
        };
    }

    public Workflow define(Workflow workflow) {
        definitions.put(workflow.name() + workflow.version(), workflow);
        return workflow;
    }

    /** A workflow that is written in YAML. */
    public Workflow register(String yaml) {
        var workflows = new Workflows(db);
        var version = workflows.register(ADMIN, yaml, WorkflowFormat.YAML).version();
        return define(workflows.find(version.name(), version.version()).orElseThrow());
    }

    public void forget(Workflow workflow) {
        definitions.remove(workflow.name() + workflow.version());
    }

    public SagaId start(Engine node, Workflow workflow) {
        return start(node, workflow, "{\"order\": 7}");
    }

    public SagaId start(Engine node, Workflow workflow, String payload) {
        return node.start(
                new NewSaga(workflow.name(), JsonMapper.shared().readTree(payload), "order-7", "test", null),
                define(workflow));
    }

    /** Has the saga undone, as an operator does. */
    public void cancel(SagaId id) {
        facade().cancel(ADMIN, id);
    }

    /** Has a stuck saga taken up again, as an operator does. */
    public void retry(SagaId id) {
        facade().retry(ADMIN, id);
    }

    /** Tells the saga what it waits for, as an operator does. */
    public void signal(SagaId id, String name, String payload) {
        // Whether a step waits for it is looked up in what is registered: here the second, as in the sagas of the
        // tests.
        new Workflows(db)
                .register(
                        ADMIN,
                        "{name: %s, steps: [{name: before, waitForSignal: other}, {name: wait, waitForSignal: %s}]}"
                                .formatted(text(id, "workflow_name"), name),
                        WorkflowFormat.YAML);
        facade().signal(ADMIN, id, name, JsonMapper.shared().readTree(payload));
    }

    /** What operators do with sagas of workflows that are registered, on the node that was added last. */
    public Sagas facade() {
        return new Sagas(db, nodes.getLast(), new Workflows(db), new SagaRoles(db));
    }

    /** The children of the saga, in the order in which they were started. */
    public List<SagaId> children(SagaId parent) {
        return db.read(reads -> reads.query("""
                SELECT id FROM saga.saga_states WHERE parent_id = :parent ORDER BY parent_step, child_index
                """)
                .bind("parent", parent.value())
                .map(row -> new SagaId(row.getObject("id", UUID.class)))
                .list());
    }

    public SagaStatus status(SagaId id) {
        return SagaStatus.valueOf(text(id, "status"));
    }

    /** A column of the saga as text. */
    public String text(SagaId id, String column) {
        return db.read(
                reads -> reads.query("SELECT coalesce(" + column + "::text, '') FROM saga.saga_states WHERE id = :id")
                        .bind("id", id.value())
                        .mapTo(String.class)
                        .one());
    }

    /** Why the saga failed, in English; empty if it did not. */
    public String error(SagaId id) {
        return StoredText.read(text(id, "error_message")).toString();
    }

    /** The log as {@code EXECUTE reserve SUCCESS} and so on, in the order in which it was written. */
    public List<String> log(SagaId id) {
        return db.read(reads ->
                reads.query("""
                SELECT action || ' ' || step_name || ' ' || status FROM saga.saga_step_logs
                WHERE saga_id = :id
                ORDER BY completed_at, step_index
                """).bind("id", id.value()).mapTo(String.class).list());
    }

    /** The statuses that the event log tells of. */
    public List<String> told(SagaId id) {
        return db.read(reads ->
                reads.query("""
                SELECT CASE payload ->> 'type' WHEN 'saga-stuck' THEN 'stuck' ELSE payload ->> 'status' END
                FROM platform.event_logs
                WHERE payload ->> 'sagaId' = :id
                ORDER BY event_id
                """).bind("id", id.toString()).mapTo(String.class).list());
    }

    public void awaitStatus(SagaId id, SagaStatus status) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> status(id) == status);
    }

    /** Waits until nobody works on the saga. */
    public void awaitRest(SagaId id) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> text(id, "owner").isEmpty());
    }

    /** Takes all nodes for dead: what they work on goes to whoever finds it first. */
    public void declareDead() {
        sql("UPDATE saga.nodes SET lease_until = now() - interval '1 second'");
    }

    public int number(String query) {
        return db.read(reads -> reads.query(query).mapTo(Integer.class).one());
    }

    public void sql(String statement) {
        db.useTransaction(tx -> tx.update(statement).execute());
    }

    @Override
    public void close() {
        nodes.forEach(Engine::close);
        lease.close();
    }
}
