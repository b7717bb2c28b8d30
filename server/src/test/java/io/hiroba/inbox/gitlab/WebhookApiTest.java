package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookApiTest {

    private static final String CONNECTIONS = "/api/v1/inbox/connections";

    private Square square;
    private String id;
    private ApiClient gitlab;

    @BeforeAll
    void open() {
        square = new Square();
        var made = square.admin.api().post(CONNECTIONS, "{'kind': 'gitlab', 'name': 'Ours'}");
        assertThat(made.outcome()).isEqualTo("201");
        id = made.text("id");
        assertThat(made.text("url")).endsWith("/hooks/gitlab/" + id);
        gitlab = square.anonymous().with("X-Gitlab-Token", made.text("secret"));
    }

    @Test
    void aConnectionBelievesNobodysWordUnlessThatIsChosen() {
        var confirmed = square.admin.api().get(CONNECTIONS + "/" + id).json();
        assertThat(confirmed.path("linking").asString()).isEqualTo("confirmed");
        assertThat(confirmed.path("warning").asString())
                .startsWith("GitLab cannot reach this address")
                .contains("--http.public-url https://square.example", "HIROBA_HTTP_PUBLIC_URL")
                .doesNotContain("anyone who signs up");
        var open = square.admin.api().post(CONNECTIONS, "{'kind': 'gitlab', 'name': 'Open', 'linking': 'open'}");
        assertThat(open.text("linking")).isEqualTo("open");
        assertThat(open.text("warning")).contains("GitLab cannot reach this address", "\nWarning: anyone who signs up");
    }

    @Test
    void whereGitlabReachesTheServerNothingIsWarnedOf() {
        try (var there = new Square("--http.public-url=http://square.example")) {
            var made = there.admin.api().post(CONNECTIONS, "{'kind': 'gitlab', 'name': 'Ours'}");
            assertThat(made.text("url")).startsWith("http://square.example/hooks/gitlab/");
            assertThat(made.json().path("warning").isNull()).isTrue();
        }
    }

    @AfterAll
    void close() {
        square.close();
    }

    private ApiClient.Reply hook(ApiClient client, String body) {
        return client.post("/hooks/gitlab/" + id, body);
    }

    private static String issue(int id, String email) {
        return """
                {'object_kind': 'issue', 'user': {'id': 1, 'username': 'root'},
                 'project': {'id': 9, 'path_with_namespace': 'harbour/boat'},
                 'object_attributes': {'id': %d, 'title': 'Leak', 'action': 'open', 'state': 'opened'},
                 'assignees': [{'id': 2, 'username': 'ann', 'email': '%s'}]}
                """.formatted(id, email);
    }

    private int itemsOf(Square.Person person) {
        return square.server
                .database()
                .db()
                .read(reads -> reads.query("""
                        SELECT count(*) FROM inbox.notifications WHERE user_id = :user AND action = 1
                        """)
                        .bind("user", UserId.parse(person.id()).value())
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void aCallIsKeptAtOnceAndHandledAfterwards() {
        var ann = square.person("Ann");
        var caller = gitlab.with("X-Gitlab-Event-UUID", "a1")
                .with("X-Gitlab-Event", "Issue Hook")
                .with("Sec-Fetch-Site", "cross-site")
                .with("Origin", "https://git.example");
        var reply = hook(caller, issue(1, ann.email()));
        assertThat(reply.outcome()).isEqualTo("202");
        var repeated = hook(caller, issue(1, ann.email()));
        assertThat(repeated.outcome()).isEqualTo("200");
        assertThat(repeated.text("id")).isEqualTo(reply.text("id"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(itemsOf(ann)).isEqualTo(1));
        var log = square.admin.api().get(CONNECTIONS + "/" + id + "/deliveries?event=issue&state=handled");
        assertThat(log.json().path("items").size()).isEqualTo(1);
        var whole = square.admin.api().get(CONNECTIONS + "/" + id + "/deliveries/" + reply.text("id"));
        assertThat(whole.json().at("/payload/object_attributes/title").asString())
                .isEqualTo("Leak");
        assertThat(square.admin.api().get(CONNECTIONS + "/" + id + "/counts").body())
                .contains("{\"");
        assertThat(square.admin
                        .api()
                        .post(CONNECTIONS + "/" + id + "/deliveries/" + reply.text("id") + "/retry", "")
                        .outcome())
                .isEqualTo("202");
    }

    @Test
    void withoutTheSecretNobodyGetsInAndNobodyLearnsWhichConnectionsThereAre() {
        var wrong = square.anonymous().with("X-Gitlab-Token", "hrh_wrong");
        assertThat(hook(wrong, "{}").outcome()).isEqualTo("401 inbox.wrong-secret");
        assertThat(hook(square.anonymous(), "{}").outcome()).isEqualTo("401 inbox.wrong-secret");
        assertThat(hook(square.admin.api(), "{}").outcome()).isEqualTo("401 inbox.wrong-secret");
        for (var other : new String[] {"198C2E846EE00000", "0000000000000001", "nonsense"}) {
            assertThat(wrong.post("/hooks/gitlab/" + other, "{}").outcome()).isEqualTo("401 inbox.wrong-secret");
        }
    }

    @Test
    void whatIsNoObjectIsRefusedAndWhatGitlabsOwnExamplesHoldIsTaken() {
        assertThat(hook(gitlab, "nonsense").outcome()).isEqualTo("400 inbox.not-json");
        assertThat(hook(gitlab, "[]").outcome()).isEqualTo("400 inbox.not-json");
        assertThat(hook(gitlab, "").outcome()).isEqualTo("400 inbox.not-json");
        assertThat(hook(gitlab, "[".repeat(5000)).outcome()).isEqualTo("400 inbox.not-json");
        assertThat(hook(gitlab, "{'object_kind': 'build', // a comment\n 'a': 1.5, 'b': '\\u0000',}")
                        .outcome())
                .isEqualTo("202");
    }

    @Test
    void aBodyOfMoreThanTenMegabytesIsRefused() {
        var large = "{'object_kind': 'push', 'x': '" + "y".repeat(10 << 20) + "'}";
        assertThat(hook(gitlab, large).status()).isEqualTo(413);
        var fits = "{'object_kind': 'push', 'x': '" + "y".repeat(9 << 20) + "'}";
        assertThat(hook(gitlab, fits).status()).isEqualTo(202);
    }

    @Test
    void aDisabledConnectionTakesNothingAndANewSecretEndsTheOld() {
        var made = square.admin.api().post(CONNECTIONS, "{'kind': 'gitlab', 'name': 'B', 'linking': 'confirmed'}");
        var path = CONNECTIONS + "/" + made.text("id");
        var hook = "/hooks/gitlab/" + made.text("id");
        var client = square.anonymous().with("X-Gitlab-Token", made.text("secret"));
        assertThat(square.admin
                        .api()
                        .send("PATCH", path, "{'enabled': false, 'name': 'C'}")
                        .text("name"))
                .isEqualTo("C");
        assertThat(client.post(hook, "{}").outcome()).isEqualTo("403 inbox.connection-disabled");
        square.admin.api().send("PATCH", path, "{'enabled': true}");
        assertThat(client.post(hook, "{}").outcome()).isEqualTo("202");
        var renewed = square.admin.api().post(path + "/secret", "");
        assertThat(client.post(hook, "{}").outcome()).isEqualTo("401 inbox.wrong-secret");
        assertThat(square.anonymous()
                        .with("X-Gitlab-Token", renewed.text("secret"))
                        .post(hook, "{}")
                        .outcome())
                .isEqualTo("202");
        var shown = square.admin.api().get(path);
        assertThat(shown.body()).contains("confirmed").doesNotContain("\"secret\"", "hrh_");
        assertThat(square.admin.api().get(CONNECTIONS).body()).doesNotContain("hrh_");
        assertThat(square.admin.api().delete(path).outcome()).isEqualTo("204");
        assertThat(square.admin.api().get(path).outcome()).isEqualTo("404 inbox.connection-not-found");
        assertThat(square.audited("targetId=" + made.text("id")))
                .containsExactly(
                        "connection-deleted",
                        "connection-secret-renewed",
                        "connection-changed",
                        "connection-changed",
                        "connection-created");
        assertThat(square.admin.api().get("/api/v1/audit").body()).doesNotContain("hrh_");
    }

    @Test
    void onlyAdminsKeepConnections() {
        var ann = square.person("Ann");
        var path = CONNECTIONS + "/" + id;
        assertThat(ann.api()
                        .post(CONNECTIONS, "{'kind': 'gitlab', 'name': 'Mine'}")
                        .outcome())
                .isEqualTo("403 accounts.admin-only");
        for (var get : new String[] {CONNECTIONS, path, path + "/deliveries", path + "/counts"}) {
            assertThat(ann.api().get(get).outcome()).isEqualTo("403 accounts.admin-only");
            assertThat(square.anonymous().get(get).outcome()).isEqualTo("401 accounts.not-signed-in");
        }
        assertThat(ann.api().post(path + "/secret", "").outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(ann.api().delete(path).outcome()).isEqualTo("403 accounts.admin-only");
        assertThat(square.admin
                        .api()
                        .post(CONNECTIONS, "{'kind': 'jira', 'name': 'X'}")
                        .outcome())
                .isEqualTo("400 inbox.invalid");
    }
}
