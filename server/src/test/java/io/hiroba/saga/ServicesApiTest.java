package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.TestServer;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
}
