package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Authentication;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.Services;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.schedule.Schedules;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.Workflows;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestService;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** Sagas behind HTTP on a database of their own, with a service that does what it is told. */
public final class TestSagaServer implements AutoCloseable {

    private static final SagaConfig CONFIG =
            new SagaConfig(512, Duration.ofMillis(50), Path.of(""), Map.of(), Duration.ofDays(90), Path.of(""));

    public final TestAccounts accounts = new TestAccounts();
    public final TestService service = new TestService();
    public final Workflows workflows = new Workflows(accounts.db);
    public final SagaRoles roles = new SagaRoles(accounts.db);
    public final SagaQueries queries = new SagaQueries(accounts.db, workflows, roles);
    public final Sagas sagas;
    public final Approvals approvals;
    public final Schedules schedules;
    public final UserId adminId;
    public final UserId operatorId;
    public final ApiClient admin;
    public final ApiClient operator;
    public final ApiClient auditor;
    public final ApiClient member;
    public final ApiClient anonymous;
    private final Engine engine;
    private final HttpServer server;

    public TestSagaServer() {
        engine = new Engine(
                        new Engine.Parts(accounts.db, Clock.systemUTC(), accounts.lease.ids(), workflows, service),
                        CONFIG)
                .open();
        sagas = new Sagas(accounts.db, engine, workflows, roles);
        approvals = new Approvals(
                accounts.db, Clock.systemUTC(), engine, roles, new ApprovalLinks(new SecretStore(accounts.db)));
        sagas.bulk().open();
        schedules = new Schedules(
                        accounts.db, engine, workflows, sagas, roles, accounts.lease.ids(), new CommitSignal())
                .open();
        var idempotency = new Idempotency(accounts.db, Clock.systemUTC());
        var cursors = new Cursors(new SecretStore(accounts.db));
        var authentication = new Authentication(accounts.sessions, accounts.tokens);
        server = HttpServer.builder(
                        HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1)), accounts.db)
                .identity(authentication)
                .routes(
                        authentication,
                        new WorkflowRoutes(
                                workflows,
                                new WorkflowWarnings(
                                        workflows, new Services(accounts.db, roles, new LocalSteps(), Map.of())),
                                cursors),
                        new BulkRoutes(sagas.bulk()),
                        new SagaRoutes(sagas, queries, idempotency, cursors),
                        new ScheduleRoutes(schedules, idempotency, cursors, Clock.systemUTC()),
                        new StepRoutes(queries, cursors, Clock.systemUTC()),
                        new SagaRoleRoutes(roles, cursors))
                .build()
                .start();
        anonymous = ApiClient.anonymous(server.port());
        adminId = accounts.admin();
        admin = as(adminId);
        operatorId = withRole("Olga", SagaRole.OPERATOR);
        operator = as(operatorId);
        auditor = as(withRole("Anton", SagaRole.AUDITOR));
        member = as(accounts.user("Mia"));
    }

    /** The path of the link in a mail to {@code user} about an approval, on any server of the database. */
    public static String mailPath(Db db, long approval, UserId user) {
        return "/approvals/mail/" + new ApprovalLinks(new SecretStore(db)).write(approval, user);
    }

    private UserId withRole(String nickname, SagaRole role) {
        var user = accounts.user(nickname);
        roles.grant(accounts.caller(adminId), user, role);
        return user;
    }

    /** Speaks to the server in somebody's name. */
    public ApiClient as(UserId user) {
        var token = accounts.tokens.create(accounts.signedIn(user), new NewToken("test", null));
        return anonymous.token(token.secret());
    }

    /** Registers a workflow, in YAML. */
    public void register(String yaml) {
        workflows.register(accounts.caller(adminId), yaml, WorkflowFormat.YAML);
    }

    /** Starts a saga; the answer is its id. */
    public String start(String workflow) {
        var reply = operator.post("/api/v1/sagas", "{'workflowName':'%s','payload':{'order':7}}".formatted(workflow));
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return reply.text("id");
    }

    public JsonNode saga(String id) {
        return auditor.get("/api/v1/sagas/" + id).json();
    }

    public JsonNode awaitStatus(String id, String status) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> saga(id), saga -> saga.path("status").asString("").equals(status));
    }

    /** Waits until nobody works on the saga. */
    public JsonNode awaitRest(String id) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> saga(id), saga -> !saga.path("running").asBoolean());
    }

    @Override
    public void close() {
        server.close();
        sagas.bulk().close();
        schedules.close();
        engine.close();
        accounts.close();
    }
}
