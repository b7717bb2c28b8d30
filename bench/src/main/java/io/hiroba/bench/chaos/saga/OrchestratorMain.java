package io.hiroba.bench.chaos.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.CarrierWatch;
import io.hiroba.saga.Approvals;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.ServiceCaller;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.schedule.Schedules;
import io.hiroba.saga.workflow.Workflows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The main class of an orchestrator node in its own process. It reads commands from standard input in place of an API,
 * and exits at the end of the input, so that it does not outlive the run.
 */
public final class OrchestratorMain {

    private static final Logger log = LoggerFactory.getLogger(OrchestratorMain.class);
    private static final Duration WORKER_LEASE = Duration.ofSeconds(30);
    private static final SagaConfig CONFIG =
            new SagaConfig(64, Duration.ofMillis(200), Path.of(""), Map.of(), Duration.ofDays(90), Path.of(""));
    private static final Caller OPERATOR = new Caller(new UserId(1), true, new Caller.ByServer(), null);

    private final Sagas sagas;
    private final Approvals approvals;

    private OrchestratorMain(Sagas sagas, Approvals approvals) {
        this.sagas = sagas;
        this.approvals = approvals;
    }

    /**
     * Runs a node of the database URL, user and password, the endpoints of the two services and the crash points in
     * {@code args}.
     */
    public static void main(String[] args) throws IOException {
        CarrierWatch.start();
        var db = Db.open(DatabaseConfig.of(args[0], args[1], args[2]));
        var ids = new WorkerLease(db, Clock.systemUTC(), WORKER_LEASE).ids();
        var workflows = new Workflows(db);
        var roles = new SagaRoles(db);
        var local = new LocalSteps();
        var services = new Services(
                db, roles, local, Map.of(ChaosWorkflow.SERVICE, args[3], ChaosWorkflow.LIMITED_SERVICE, args[4]));
        var calls = new ServiceCaller(local, services, Clock.systemUTC());
        var steps = new Engine.Parts(db, Clock.systemUTC(), ids, workflows, calls);
        var engine = new Engine(steps, CONFIG, new CrashInjector(args[5])).open();
        var sagas = new Sagas(db, engine, workflows, roles);
        var commits = new CommitSignal();
        new Schedules(db, engine, workflows, sagas, roles, ids, commits).open();
        ChaosInbox.open(db, ids, commits);
        var node = new OrchestratorMain(sagas, new Approvals(db, Clock.systemUTC(), engine, roles));
        print("READY saga:node");
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            var command = line.split(" ", 3);
            Thread.startVirtualThread(() -> print("= " + command[0] + " " + node.execute(command[1], command[2])));
        }
        Runtime.getRuntime().halt(0);
    }

    private static synchronized void print(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Executes a command and returns a status as of HTTP with a text. */
    private String execute(String verb, String json) {
        try {
            return "200 " + execute(verb, JsonMapper.shared().readTree(json));
        } catch (Problem e) {
            return e.kind().status() + " " + e.code();
        } catch (RuntimeException e) {
            log.warn("{} {} failed", verb, json, e);
            return "500 " + e.getClass().getSimpleName();
        }
    }

    private String execute(String verb, JsonNode command) {
        if (verb.equals("start")) {
            var number = String.valueOf(command.path("number").asLong());
            return sagas.start(OPERATOR, new NewSaga(command.path("workflow").asString(), command, number, null, null))
                    .toString();
        }
        if (verb.equals("decide")) {
            var user = new Caller(new UserId(command.path("user").asLong()), false, new Caller.ByServer(), null);
            var answers = JsonMapper.shared().createObjectNode();
            approvals.decide(
                    user,
                    command.path("approval").asLong(),
                    new Approvals.Answer(command.path("approve").asBoolean(), "", answers));
            return "decided";
        }
        var id = SagaId.parse(command.path("id").asString());
        switch (verb) {
            case "cancel" -> sagas.cancel(OPERATOR, id);
            case "compensate" -> sagas.compensate(OPERATOR, id);
            case "retry" -> sagas.retry(OPERATOR, id);
            default -> sagas.signal(OPERATOR, id, verb, command);
        }
        return id.toString();
    }
}
