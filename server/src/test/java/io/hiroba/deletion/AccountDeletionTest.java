package io.hiroba.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Json;
import io.hiroba.social.PostId;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deleting an account, which is a saga. */
@Tag("slow")
class AccountDeletionTest {

    private static final Square SQUARE = new Square();

    @AfterAll
    static void close() {
        SQUARE.close();
    }

    @Test
    void aDeletedAccountIsGoneWithItsPostsAndItsSagaSaysSo() {
        var leaver = SQUARE.person("Leaver");
        var other = SQUARE.person("Other");
        var post = leaver.post("So long");
        var reply = other.reply(post, "Oh");
        assertThat(leaver.deleteAccount(leaver.id()).outcome()).isEqualTo("204");
        assertThat(other.api().get("/api/v1/posts/" + post).outcome()).isEqualTo("404 social.post-not-found");
        assertThat(other.api().get("/api/v1/posts/" + reply).outcome()).isEqualTo("200");
        assertThat(other.api().get("/api/v1/users/" + leaver.id()).outcome()).startsWith("404");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> deletion(leaver).contains("COMPLETED"));
        assertThat(deletion(leaver)).contains("account-deletion");
        var audit = SQUARE.admin
                .api()
                .get("/api/v1/audit?subject=" + leaver.id())
                .json()
                .path("items");
        assertThat(audit.at("/0/action").asString()).isEqualTo("user-deleted");
        assertThat(audit.at("/0/via").asString()).isEqualTo("server");
        assertThat(audit.at("/1/action").asString()).isEqualTo("user-closed");
        assertThat(audit.at("/1/address").asString()).isEqualTo("127.0.0.1");
        assertThat(audit.toString()).doesNotContain(leaver.email(), "Leaver");
    }

    @Test
    void aTokenAloneDeletesNoAccount() {
        var leaver = SQUARE.person("Token");
        var path = "/api/v1/users/" + leaver.id();
        var refused = leaver.api().delete(path);
        assertThat(refused.outcome()).isEqualTo("403 accounts.password-required");
        assertThat(refused.text("detail")).contains("`password`");
        assertThat(leaver.api()
                        .send("DELETE", path, "{'password':'guess guess'}")
                        .outcome())
                .isEqualTo("403 accounts.wrong-current-password");
        assertThat(SQUARE.admin.api().delete(path).outcome()).isEqualTo("403 accounts.password-required");
        assertThat(leaver.api().get("/api/v1/me").outcome()).isEqualTo("200");
        var session = SQUARE.anonymous()
                .post("/api/v1/session", "{'email':'%s','password':'%s'}".formatted(leaver.email(), leaver.password()));
        assertThat(SQUARE.anonymous().cookie(session.cookie()).delete(path).outcome())
                .as("the password was given a moment ago")
                .isEqualTo("204");
    }

    @Test
    void aDeletedAccountTakesAlongOnlyTheProjectsWithoutOtherPeople() {
        var leaver = SQUARE.person("Owner");
        var other = SQUARE.person("Co-owner");
        var alone = leaver.api().post("/api/v1/projects", "{'name': 'Mine'}").text("id");
        var shared = leaver.api().post("/api/v1/projects", "{'name': 'Ours'}").text("id");
        leaver.api().put("/api/v1/projects/%s/members/%s".formatted(shared, other.id()), "{'role': 'viewer'}");
        var page = SQUARE.admin.api().get("/admin/users/%s/delete".formatted(leaver.id()));
        assertThat(page.body()).contains("<li>Mine</li>", "<li>Ours: Co-owner becomes the owner</li>");
        assertThat(leaver.deleteAccount(leaver.id()).outcome()).isEqualTo("204");
        assertThat(SQUARE.admin.api().get("/api/v1/projects/" + alone).outcome())
                .isEqualTo("404 records.no-project");
        assertThat(other.api().get("/api/v1/projects/" + shared).text("role")).isEqualTo("owner");
        Awaitility.await().untilAsserted(() -> {
            var item = other.api().get("/api/v1/inbox").json().at("/items/0");
            assertThat(item.path("action").asString("")).isEqualTo("project_handed_over");
            assertThat(item.at("/resource/title").asString("")).isEqualTo("Ours");
            assertThat(item.at("/resource/url").asString("")).isEqualTo("/records/" + shared);
        });
        assertThat(other.api().with("Accept", "text/html").get("/inbox").body()).contains("A project is yours", "Ours");
        var audit = SQUARE.admin
                .api()
                .get("/api/v1/audit?subject=" + other.id())
                .json()
                .at("/items/0");
        assertThat(audit.path("action").asString()).isEqualTo("project-member-set");
        assertThat(audit.path("via").asString()).isEqualTo("server");
    }

    @Test
    void aSharedCollectionGoesToWhoEditsIt() {
        var leaver = SQUARE.person("Librarian");
        var other = SQUARE.person("Second reader");
        var collection = "/api/v1/knowledge/collections/"
                + leaver.api()
                        .post("/api/v1/knowledge/collections", "{'name': 'Shelf', 'visibility': 'shared'}")
                        .text("id");
        leaver.api().put(collection + "/members/" + other.id(), "{'role': 'editor'}");
        var page = SQUARE.admin.api().get("/admin/users/%s/delete".formatted(leaver.id()));
        assertThat(page.body()).contains("<li>Shelf: Second reader becomes the owner</li>", "Direct messages");
        assertThat(leaver.deleteAccount(leaver.id()).outcome()).isEqualTo("204");
        assertThat(other.api().get(collection).text("ownedBy")).isEqualTo(other.id());
        var audit = SQUARE.admin
                .api()
                .get("/api/v1/audit?subject=" + other.id())
                .json()
                .at("/items/0");
        assertThat(audit.path("action").asString()).isEqualTo("collection-member-set");
        assertThat(audit.path("via").asString()).isEqualTo("server");
    }

    @Test
    void aDeletedAccountTakesItsKnowledgeAlong() {
        var leaver = SQUARE.person("Talker");
        var other = SQUARE.person("Listener");
        for (var person : List.of(leaver, other)) {
            person.api()
                    .post(
                            "/api/v1/knowledge/sessions/thread:1/messages",
                            "{'role': 'user', 'content': 'What is to be remembered of me, and what is not?'}");
            assertThat(person.api()
                            .post("/api/v1/knowledge/sessions/thread:1/archive", "")
                            .text("outcome"))
                    .isEqualTo("archived");
        }
        assertThat(leaver.deleteAccount(leaver.id()).outcome()).isEqualTo("204");
        var owners = SQUARE.server
                .database()
                .db()
                .read(reads -> reads.query("""
                        SELECT DISTINCT owned_by FROM knowledge.knowledge_chunks
                        UNION SELECT owned_by FROM knowledge.knowledge_sources
                        UNION SELECT owned_by FROM knowledge.sessions
                        """).mapTo(Long.class).list());
        assertThat(owners).containsExactly(UserId.parse(other.id()).value());
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> deletion(leaver).contains("COMPLETED"));
    }

    @Test
    void aDeletedAccountTakesItsInboxAlong() {
        var leaver = SQUARE.person("Called");
        assertThat(leaver.api()
                        .put("/api/v1/me/identities", "{'provider': 'gitlab', 'username': 'called'}")
                        .outcome())
                .isEqualTo("200");
        assertThat(leaver.deleteAccount(leaver.id()).outcome()).isEqualTo("204");
        var other = SQUARE.person("Next");
        assertThat(other.api()
                        .put("/api/v1/me/identities", "{'provider': 'gitlab', 'username': 'called'}")
                        .outcome())
                .isEqualTo("200");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> deletion(leaver).contains("COMPLETED"));
    }

    @Test
    void aDeletedAccountLetsNobodyIn() {
        var leaver = SQUARE.person("Locked");
        assertThat(leaver.deleteAccount(leaver.id()).outcome()).isEqualTo("204");
        assertThat(leaver.api().get("/api/v1/me").outcome()).startsWith("401");
        assertThat(signIn(leaver)).startsWith("401");
    }

    @Test
    void aDeletionThatTakesLongIsGoingOnAndOutlivesTheDeathOfItsNode() throws SQLException {
        var leaver = SQUARE.person("Slow");
        var post = leaver.post("Held");
        var database = SQUARE.server.database().db();
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT id FROM social.posts WHERE id = %d FOR UPDATE"
                    .formatted(PostId.parse(post).value()));
            assertThat(leaver.deleteAccount(leaver.id()).outcome()).isEqualTo("202");
            assertThat(SQUARE.admin.api().get("/api/v1/users/" + leaver.id()).outcome())
                    .isEqualTo("200");
            assertThat(leaver.api().get("/api/v1/me").outcome()).startsWith("401");
            assertThat(signIn(leaver)).startsWith("401");
            assertThat(deletion(leaver)).doesNotContain("COMPLETED");
            // Whoever finds it now takes it up anew.
            database.useTransaction(tx -> tx.update("UPDATE saga.nodes SET lease_until = now() - interval '1 second'")
                    .execute());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> database.read(reads -> reads.query("""
                            SELECT fence > 1 FROM saga.saga_states WHERE correlation_id = :correlation
                            """)
                            .bind("correlation", "account-" + leaver.id())
                            .mapTo(Boolean.class)
                            .one()));
            connection.rollback();
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> deletion(leaver).contains("COMPLETED"));
        assertThat(SQUARE.admin.api().get("/api/v1/users/" + leaver.id()).outcome())
                .startsWith("404");
        assertThat(SQUARE.admin.api().get("/api/v1/posts/" + post).outcome()).isEqualTo("404 social.post-not-found");
    }

    private static String signIn(Square.Person person) {
        return SQUARE.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())))
                .outcome();
    }

    private static String deletion(Square.Person person) {
        return SQUARE.admin
                .api()
                .get("/api/v1/sagas?correlationId=account-" + person.id())
                .body();
    }

    @Test
    void nobodyStartsADeletionAsASagaOfTheirOwn() {
        var victim = SQUARE.person("Victim");
        var start =
                Json.text(Map.of("workflowName", "hiroba.account-deletion", "payload", Map.of("user", victim.id())));
        assertThat(SQUARE.admin.api().post("/api/v1/sagas", start).outcome()).isEqualTo("403 saga.own-workflow");
        assertThat(operator().post("/api/v1/sagas", start).outcome()).isEqualTo("403 saga.own-workflow");
        assertThat(victim.api().get("/api/v1/me").outcome()).isEqualTo("200");
    }

    @Test
    void nobodyPutsADeletionIntoAWorkflowOfTheirOwn() {
        var victim = SQUARE.person("Target");
        var foreign = workflow("goodbye");
        assertThat(register(foreign)).isEqualTo("403 saga.own-service");
        assertThat(register(workflow("hiroba.goodbye"))).isEqualTo("403 saga.own-workflow");
        var start = Json.text(Map.of("workflowName", "goodbye", "payload", Map.of("user", victim.id())));
        assertThat(operator().post("/api/v1/sagas", start).outcome()).isEqualTo("404 saga.no-workflow");
        assertThat(victim.api().get("/api/v1/me").outcome()).isEqualTo("200");
    }

    @Test
    void nobodyChangesHowAccountsAreDeleted() {
        var name = "hiroba.account-deletion";
        assertThat(register(workflow(name))).isEqualTo("403 saga.own-workflow");
        assertThat(SQUARE.admin
                        .api()
                        .send("PATCH", "/api/v1/workflows/" + name, "{\"enabled\": false}")
                        .outcome())
                .isEqualTo("403 saga.own-workflow");
        assertThat(SQUARE.admin.api().get("/api/v1/workflows/" + name).body())
                .contains("\"version\":1", "\"enabled\":true");
    }

    /** A workflow that calls the step in which an account is deleted. */
    private static String workflow(String name) {
        var step = Map.of("name", "account", "service", "hiroba", "method", "delete-account");
        return Json.text(Map.of("name", name, "steps", List.of(step)));
    }

    private static String register(String workflow) {
        return SQUARE.admin.api().post("/api/v1/workflows", workflow).outcome();
    }

    /** Somebody who may start sagas. */
    private static ApiClient operator() {
        var operator = SQUARE.person("Operator");
        assertThat(SQUARE.admin
                        .api()
                        .put("/api/v1/saga-roles/" + operator.id(), "{\"role\": \"operator\"}")
                        .outcome())
                .isEqualTo("204");
        return operator.api();
    }

    @Test
    void theLastAdminStays() {
        var admin = SQUARE.admin;
        assertThat(admin.deleteAccount(admin.id()).outcome()).isEqualTo("409 accounts.last-admin");
        assertThat(admin.api().get("/api/v1/me").outcome()).isEqualTo("200");
    }

    @Test
    void anotherMembersAccountIsNotTheirsToDelete() {
        var one = SQUARE.person("One");
        var other = SQUARE.person("Another");
        assertThat(one.deleteAccount(other.id()).outcome()).isEqualTo("403 accounts.not-yours");
        assertThat(SQUARE.admin.deleteAccount("00000000000fffff").outcome()).startsWith("404");
        assertThat(SQUARE.admin
                        .api()
                        .get("/api/v1/sagas?correlationId=account-" + other.id())
                        .body())
                .doesNotContain("account-deletion");
    }
}
