package io.hiroba.bench.chaos.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.DatabaseConfig;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.WorkerLease;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaConfig;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.ServiceCaller;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.engine.Engine;
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
 * A node of a run, in a process of its own: the orchestrator, told by lines of its input what an API would be told. It
 * lives no longer than whoever started it, whose end is the end of the input.
 */
public final class Orchestrator {

    private static final Logger log = LoggerFactory.getLogger(Orchestrator.class);
    private static final Duration WORKER_LEASE = Duration.ofSeconds(30);
    private static final SagaConfig CONFIG =
            new SagaConfig(64, Duration.ofMillis(200), Path.of(""), Map.of(), Duration.ofDays(90), Path.of(""));
    private static final Caller OPERATOR = new Caller(new UserId(1), true, new Caller.ByServer(), null);

    private final Sagas sagas;

    private Orchestrator(Sagas sagas) {
        this.sagas = sagas;
    }

    /** Database (URL, user, password), the service's endpoint, and where to die. */
    public static void main(String[] args) throws IOException {
        var db = Db.open(DatabaseConfig.of(args[0], args[1], args[2]));
        var ids = new WorkerLease(db, Clock.systemUTC(), WORKER_LEASE).ids();
        var workflows = new Workflows(db);
        var roles = new SagaRoles(db);
        var local = new LocalSteps();
        var services = new Services(db, roles, local, Map.of(Shape.SERVICE, args[3]));
        var calls = new ServiceCaller(local, services, Clock.systemUTC());
        var parts = new Engine.Parts(db, Clock.systemUTC(), ids, workflows, calls);
        var engine = new Engine(parts, CONFIG, new Fuse(args[4])).open();
        var node = new Orchestrator(new Sagas(db, engine, workflows, roles));
        say("READY saga:node");
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            var order = line.split(" ", 3);
            Thread.startVirtualThread(() -> say("= " + order[0] + " " + node.obey(order[1], order[2])));
        }
        Runtime.getRuntime().halt(0);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Does it and answers with a status as of HTTP. */
    private String obey(String verb, String json) {
        try {
            return "200 " + obey(verb, JsonMapper.shared().readTree(json));
        } catch (Problem e) {
            return e.kind().status() + " " + e.code();
        } catch (RuntimeException e) {
            log.warn("{} {} failed", verb, json, e);
            return "500 " + e.getClass().getSimpleName();
        }
    }

    private String obey(String verb, JsonNode order) {
        if (verb.equals("start")) {
            var number = String.valueOf(order.path("number").asLong());
            return sagas.start(OPERATOR, new NewSaga(order.path("workflow").asString(), order, number, "chaos", null))
                    .toString();
        }
        var id = SagaId.parse(order.path("id").asString());
        switch (verb) {
            case "cancel" -> sagas.cancel(OPERATOR, id);
            case "compensate" -> sagas.compensate(OPERATOR, id);
            case "retry" -> sagas.retry(OPERATOR, id);
            default -> sagas.signal(OPERATOR, id, verb, order);
        }
        return id.toString();
    }
}
