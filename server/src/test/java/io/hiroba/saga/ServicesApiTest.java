package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("slow")
class ServicesApiTest {

    private static final String STOCK = "{'endpoint':'grpc://stock:9000'}";

    private static TestServer server;
    private static ApiClient admin;
    private static ApiClient auditor;
    private static ApiClient member;

    @BeforeAll
    static void start() {
        server = TestServer.start("--saga.services.orders=http://orders:8080/api");
        admin = client(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);
        member = newcomer("member@square.example");
        auditor = newcomer("auditor@square.example");
        server.database().db().useTransaction(tx -> tx.update("""
                        INSERT INTO saga.roles (user_id, role)
                        SELECT id, 'auditor' FROM accounts.users WHERE email = 'auditor@square.example'
                        """).execute());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static ApiClient anonymous() {
        return ApiClient.anonymous(URI.create(server.url()).getPort());
    }

    private static ApiClient client(String email, String password) {
        var reply = anonymous()
                .post("/api/v1/tokens", "{'email':'%s','password':'%s','name':'test'}".formatted(email, password));
        return anonymous().token(reply.text("token"));
    }

    private static ApiClient newcomer(String email) {
        var made = admin.post(
                "/api/v1/users", "{'email':'%s','nickname':'somebody','password':'a long password'}".formatted(email));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return client(email, "a long password");
    }

    @Test
    void anAdminRegistersMovesAndTakesAwayAService() {
        var made = admin.put("/api/v1/saga-services/stock", STOCK);
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/api/v1/saga-services/stock");
        assertThat(made.text("endpoint")).isEqualTo("grpc://stock:9000");

        var moved = admin.put("/api/v1/saga-services/stock", "{'endpoint':'http://stock/'}");
        assertThat(moved.outcome()).isEqualTo("200");
        assertThat(auditor.get("/api/v1/saga-services/stock").text("endpoint")).isEqualTo("http://stock");

        assertThat(admin.delete("/api/v1/saga-services/stock").status()).isEqualTo(204);
        assertThat(auditor.get("/api/v1/saga-services/stock").outcome()).isEqualTo("404 saga.no-service");
        assertThat(admin.delete("/api/v1/saga-services/stock").outcome()).isEqualTo("404 saga.no-service");

        var audit = admin.get("/api/v1/audit?targetId=stock").json().path("items");
        assertThat(audit.valueStream().map(entry -> entry.path("action").asString()))
                .containsExactly("service-deleted", "service-saved", "service-saved");
        assertThat(audit.at("/1/before/endpoint").asString()).isEqualTo("grpc://stock:9000");
        assertThat(audit.at("/1/after/endpoint").asString()).isEqualTo("http://stock");
        assertThat(audit.at("/1/via").asString()).isEqualTo("token");
        assertThat(audit.at("/1/address").asString()).isEqualTo("127.0.0.1");
    }

    @Test
    void theListHoldsWhatIsRegisteredAndWhatIsConfigured() {
        admin.put("/api/v1/saga-services/abacus", "{'endpoint':'http://abacus'}");
        admin.put("/api/v1/saga-services/zebra", "{'endpoint':'http://zebra'}");

        var first = auditor.get("/api/v1/saga-services?limit=1");
        assertThat(first.json().at("/items/0/name").asString()).isEqualTo("abacus");
        var rest = auditor.get("/api/v1/saga-services?limit=100&after=" + first.text("next"));
        assertThat(rest.json().path("items").findValuesAsString("name")).contains("orders", "zebra");
        assertThat(rest.json().path("items").findValuesAsString("origin")).contains("configured", "registered");
        assertThat(auditor.get("/api/v1/saga-services/orders").text("endpoint")).isEqualTo("http://orders:8080/api");
    }

    @Test
    void whatTheConfigurationSaysIsNotTaken() {
        assertThat(admin.put("/api/v1/saga-services/orders", STOCK).outcome()).isEqualTo("409 saga.fixed-service");
        assertThat(admin.delete("/api/v1/saga-services/orders").outcome()).isEqualTo("409 saga.fixed-service");
    }

    @Test
    void onlyAdminsChangeAndOnlyThoseWithARoleRead() {
        assertThat(anonymous().get("/api/v1/saga-services").outcome()).isEqualTo("401 accounts.not-signed-in");
        assertThat(member.get("/api/v1/saga-services").outcome()).isEqualTo("403 saga.auditors-only");
        assertThat(member.get("/api/v1/saga-services/orders").outcome()).isEqualTo("403 saga.auditors-only");
        assertThat(auditor.put("/api/v1/saga-services/mine", STOCK).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(auditor.delete("/api/v1/saga-services/orders").outcome()).isEqualTo("403 accounts.admin-only");
    }

    @Test
    void aServiceNeedsANameAndAPlace() {
        assertThat(admin.put("/api/v1/saga-services/a%20b", STOCK).outcome()).isEqualTo("400 saga.invalid");
        assertThat(admin.put("/api/v1/saga-services/a", "{'endpoint':'http://u:p@stock'}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
        assertThat(admin.put("/api/v1/saga-services/a", "{'endpoint':'file:///etc/passwd'}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
    }

    @Test
    void callsAreLimitedByAdmins() {
        admin.put("/api/v1/saga-services/limited", "{'endpoint':'http://limited:8080'}");
        var path = "/api/v1/saga-services/limited/limits";
        var set = admin.put(path, "{'maxConcurrent':10,'ratePerSecond':2.5}");
        assertThat(set.json().path("maxConcurrent").asInt()).as(set.body()).isEqualTo(10);
        assertThat(set.json().path("ratePerSecond").asDouble()).isEqualTo(2.5);
        assertThat(admin.put(path, "{'maxConcurrent':0}").outcome()).isEqualTo("400 saga.invalid");
        assertThat(admin.put(path, "{'ratePerSecond':0}").outcome()).isEqualTo("400 saga.invalid");
        assertThat(admin.put("/api/v1/saga-services/nobody/limits", "{}").outcome())
                .isEqualTo("404 saga.no-service");
        assertThat(auditor.put(path, "{}").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(admin.put(path, "{}").json().path("maxConcurrent").isNull()).isTrue();
        admin.delete("/api/v1/saga-services/limited");
    }

    @Test
    void credentialsAreSetAndNeverTold() {
        admin.put("/api/v1/saga-services/bank", "{'endpoint':'https://bank.example/v1'}");
        var path = "/api/v1/saga-services/bank/credentials";
        assertThat(auditor.put(path, "{'bearer':'x'}").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(admin.put("/api/v1/saga-services/nobody/credentials", "{'bearer':'x'}")
                        .outcome())
                .isEqualTo("404 saga.no-service");
        for (var bad : List.of(
                "{}",
                "{'bearer':'a b'}",
                "{'bearer':'x\\r\\nHost: y'}",
                "{'user':'u'}",
                "{'user':'u:v','password':'p'}",
                "{'bearer':'x','user':'u','password':'p'}")) {
            assertThat(admin.put(path, bad).outcome()).as(bad).isEqualTo("400 saga.invalid");
        }
        var set = admin.put(path, "{'user':'ann','password':'hüsh-hush'}");
        assertThat(set.outcome()).isEqualTo("200");
        assertThat(set.json().at("/credentials/kind").asString()).isEqualTo("basic");
        assertThat(set.body()).doesNotContain("hush");
        assertThat(admin.put(path, "{'bearer':'hush-hush'}").body())
                .contains("\"bearer\"")
                .doesNotContain("hush");
        assertThat(auditor.get("/api/v1/saga-services?limit=100").body()).doesNotContain("hush");
        assertThat(stored("SELECT secret FROM saga.service_credentials WHERE service = 'bank'"))
                .doesNotContain("hush");

        admin.put("/api/v1/saga-services/bank", "{'endpoint':'https://bank.example/v2'}");
        assertThat(credentialsOf("bank").isNull()).isFalse();
        admin.put("/api/v1/saga-services/bank", "{'endpoint':'https://bank.example:8443/v2'}");
        assertThat(credentialsOf("bank").isNull())
                .as("another port is another origin")
                .isTrue();
        assertThat(admin.delete(path).outcome()).isEqualTo("404 saga.no-credentials");
        assertThat(admin.put("/api/v1/saga-services/orders/credentials", "{'bearer':'x'}")
                        .outcome())
                .isEqualTo("200");
        assertThat(admin.delete("/api/v1/saga-services/orders/credentials").status())
                .isEqualTo(204);
        assertThat(admin.get("/api/v1/audit").body())
                .contains("service-credentials-set", "service-credentials-removed");
    }

    private static JsonNode credentialsOf(String service) {
        return auditor.get("/api/v1/saga-services/" + service).json().path("credentials");
    }

    private static String stored(String sql) {
        return server
                .database()
                .db()
                .read(reads -> reads.query(sql).mapTo(byte[].class).list())
                .stream()
                .map(secret -> new String(secret, StandardCharsets.ISO_8859_1))
                .collect(Collectors.joining());
    }

    @Test
    void aServiceHasTwoSigningKeysAtMostAndEachIsToldOnce() {
        admin.put("/api/v1/saga-services/depot", "{'endpoint':'http://depot'}");
        var path = "/api/v1/saga-services/depot/signing-keys";
        assertThat(auditor.post(path, "").outcome()).isEqualTo("403 accounts.admin-only");
        var first = admin.post(path, "");
        assertThat(first.status()).isEqualTo(201);
        assertThat(admin.post(path, "").status()).isEqualTo(201);
        assertThat(admin.post(path, "").outcome()).isEqualTo("409 saga.enough-signing-keys");
        var shown = auditor.get("/api/v1/saga-services/depot");
        assertThat(shown.json().path("signingKeys").findValuesAsString("id"))
                .hasSize(2)
                .startsWith(first.text("id"));
        assertThat(shown.body() + stored("SELECT secret FROM saga.signing_keys"))
                .doesNotContain(first.text("secret"));
        assertThat(admin.delete("/api/v1/saga-services/orders/signing-keys/" + first.text("id"))
                        .outcome())
                .isEqualTo("404 saga.no-signing-key");
        assertThat(admin.delete(path + "/" + first.text("id")).status()).isEqualTo(204);
        assertThat(admin.post(path, "").status()).isEqualTo(201);
        assertThat(admin.delete("/api/v1/saga-services/depot").status()).isEqualTo(204);
        assertThat(stored("SELECT secret FROM saga.signing_keys WHERE service = 'depot'"))
                .isEmpty();
    }

    @Test
    void callsAreAuthorizedAndSignedAlsoAfterARotationOfKeys() throws Exception {
        try (var till = TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, 200, "{}"))) {
            admin.put("/api/v1/saga-services/till", Json.text(Map.of("endpoint", till.url() + "/api")));
            admin.post("/api/v1/workflows", "{'name':'pay','steps':[{'name':'pay','service':'till','method':'pay'}]}");
            pay(till, 1);
            assertThat(till.asked().getLast().header("Authorization")).isEmpty();
            assertThat(till.asked().getLast().header("Hiroba-Signature")).isEmpty();

            admin.put("/api/v1/saga-services/till/credentials", "{'bearer':'hush-hush'}");
            var key = admin.post("/api/v1/saga-services/till/signing-keys", "");
            pay(till, 2);
            assertSigned(till.asked().getLast(), key.text("id"), key.text("secret"));

            assertThat(admin.post("/api/v1/admin/keys/rotate", "").outcome()).isEqualTo("202");
            await().until(() ->
                    admin.get("/api/v1/admin/keys").json().path("items").size() == 1);
            admin.put("/api/v1/saga-services/till", Json.text(Map.of("endpoint", till.url() + "/moved")));
            pay(till, 3);
            assertThat(till.asked().getLast().path()).isEqualTo("/moved/pay");
            assertSigned(till.asked().getLast(), key.text("id"), key.text("secret"));
        }
    }

    private static void pay(TestHttpService till, int calls) {
        assertThat(admin.post("/api/v1/sagas", "{'workflowName':'pay','payload':{'order':7}}")
                        .status())
                .isEqualTo(201);
        await().until(() -> till.asked().size() == calls);
    }

    private static void assertSigned(TestHttpService.Asked asked, String id, String secret) throws Exception {
        assertThat(asked.header("Authorization")).isEqualTo("Bearer hush-hush");
        var parts = Pattern.compile("t=(\\d+),kid=(\\w+),v1=(\\w+)").matcher(asked.header("Hiroba-Signature"));
        assertThat(parts.matches()).isTrue();
        assertThat(parts.group(2)).isEqualTo(id);
        var signed = String.join(
                "\n", parts.group(1), asked.method(), asked.path(), asked.header("Idempotency-Key"), asked.body());
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        assertThat(parts.group(3))
                .isEqualTo(HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
    }

    private static String started(String workflow) {
        var reply = admin.post("/api/v1/sagas", "{'workflowName':'%s','payload':{'order':7}}".formatted(workflow));
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return reply.text("id");
    }

    private static void awaitStatus(String saga, String status) {
        await().until(() -> auditor.get("/api/v1/sagas/" + saga).text("status").equals(status));
    }

    @Test
    void aWorkerWithATokenForThatFetchesAndEndsTasks() {
        assertThat(admin.put("/api/v1/saga-services/billing", "{'endpoint':'worker:'}")
                        .text("endpoint"))
                .isEqualTo("worker:");
        admin.post(
                "/api/v1/workflows",
                "{'name':'bill','steps':[{'name':'charge','service':'billing','method':'charge','compensate':'refund'}]}");
        newcomer("worker@square.example");
        server.database().db().useTransaction(tx -> tx.update("""
                        INSERT INTO saga.roles (user_id, role)
                        SELECT id, 'operator' FROM accounts.users WHERE email = 'worker@square.example'
                        """).execute());
        var made = anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email':'worker@square.example','password':'a long password','name':'worker',"
                                + "'scopes':['sagas:work']}");
        var worker = anonymous().token(made.text("token"));
        var saga = started("bill");
        var poll = "/api/v1/workers/billing/poll";
        assertThat(member.post(poll, "{'worker':'m'}").outcome()).isEqualTo("403 saga.operators-only");
        assertThat(anonymous().post(poll, "{'worker':'m'}").status()).isEqualTo(401);
        assertThat(worker.get("/api/v1/sagas/" + saga).status())
                .as("no other scope")
                .isEqualTo(403);
        assertThat(worker.post(poll, "{'worker':'w','max':0}").outcome()).isEqualTo("400 saga.invalid");
        assertThat(worker.post("/api/v1/workers/orders/poll", "{'worker':'w'}").outcome())
                .isEqualTo("409 saga.no-worker-service");

        var task = worker.post(poll, "{'worker':'w','waitSeconds':20}").json().at("/tasks/0");
        assertThat(task.path("sagaId").asString()).isEqualTo(saga);
        assertThat(task.path("method").asString()).isEqualTo("charge");
        assertThat(task.path("compensation").asBoolean()).isFalse();
        await().until(() -> auditor.get("/api/v1/sagas/" + saga)
                .json()
                .at("/waits/0/cause")
                .asString("")
                .equals("WORKER"));
        var path = "/api/v1/tasks/" + task.path("token").asString() + "/";
        var kept = worker.post(path + "heartbeat", "{'progress':{'rows':7}}");
        assertThat(kept.json().path("cancelled").asBoolean(true)).isFalse();
        assertThat(worker.post(path + "complete", "{'answer':{'receipt':'R-7'}}")
                        .status())
                .isEqualTo(204);
        assertThat(worker.post(path + "complete", "{'answer':{'receipt':'R-7'}}")
                        .status())
                .isEqualTo(204);
        assertThat(worker.post(path + "fail", "{'reason':'no'}").outcome()).isEqualTo("409 saga.task-ended");
        assertThat(worker.post("/api/v1/tasks/guessed/complete", "{}").outcome())
                .isEqualTo("404 saga.no-task");
        awaitStatus(saga, "COMPLETED");
    }

    @Test
    void aServiceThatAnswersLaterSaysHowTheCallEnded() {
        assertThat(admin.put("/api/v1/saga-services/bank", "{'endpoint':'grpc://bank:1','async':true}")
                        .outcome())
                .isEqualTo("400 saga.invalid");
        try (var bank = TestHttpService.start((asked, exchange) -> {
            if (asked.path().endsWith("early")) {
                end(asked.header("Hiroba-Task-Token"), "complete", "{'answer':{'early':true}}");
            }
            TestHttpService.reply(exchange, asked.path().endsWith("now") ? 200 : 202, "{}");
        })) {
            var registered = Json.text(Map.of("endpoint", bank.url(), "async", true));
            assertThat(admin.put("/api/v1/saga-services/bank", registered)
                            .json()
                            .path("async")
                            .asBoolean())
                    .isTrue();
            assertThat(admin.put("/api/v1/saga-services/bank", Json.text(Map.of("endpoint", bank.url())))
                            .json()
                            .path("async")
                            .asBoolean())
                    .as("whoever changes the endpoint alone leaves it as it is")
                    .isTrue();
            for (var method : List.of("later", "now", "early")) {
                admin.post(
                        "/api/v1/workflows",
                        "{'name':'%1$s','steps':[{'name':'transfer','service':'bank','method':'%1$s','retry':{'maxAttempts':1}}]}"
                                .formatted(method));
            }
            awaitStatus(started("early"), "COMPLETED");
            awaitStatus(started("now"), "COMPLETED");
            var token = bank.asked().getLast().header("Hiroba-Task-Token");
            assertThat(end(token, "complete", "{}").outcome())
                    .as("was answered")
                    .isEqualTo("409 saga.task-withdrawn");

            var saga = started("later");
            await().until(() -> bank.asked().size() == 3);
            var later = bank.asked().getLast().header("Hiroba-Task-Token");
            await().until(() ->
                    !auditor.get("/api/v1/sagas/" + saga).json().path("running").asBoolean());
            assertThat(end(later, "fail", "{'reason':'no such account'}").status())
                    .isEqualTo(204);
            awaitStatus(saga, "FAILED");
            assertThat(auditor.get("/api/v1/sagas/" + saga).body()).contains("no such account");
        }
    }

    private static ApiClient.Reply end(String token, String how, String body) {
        return admin.post("/api/v1/tasks/" + token + "/" + how, body);
    }
}
