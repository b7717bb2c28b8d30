package io.hiroba.inbox.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The API by which other programs notify people. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class NotificationApiTest {

    private Square square;
    private ApiClient operator;
    private Db db;

    @BeforeAll
    void open() {
        square = new Square("--inbox.access-grace=0s");
        db = square.server.database().db();
        var person = square.person("Operator");
        square.admin.api().put("/api/v1/saga-roles/" + person.id(), "{'role': 'operator'}");
        operator = person.api();
    }

    @AfterAll
    void close() {
        square.close();
    }

    private ApiClient.Reply put(String path, String json) {
        return operator.put("/api/v1/inbox/resources/" + path, json);
    }

    private void issue(String id) {
        assertThat(put("issue/" + id, "{'title': 'It burns', 'namespace': 'fire/house'}")
                        .outcome())
                .isEqualTo("201");
    }

    private ApiClient.Reply sendNotification(ApiClient client, String issue, String action, Map<String, Object> more) {
        var body = new HashMap<String, Object>(more);
        body.putAll(Map.of("action", action, "resourceType", "issue", "resource", issue));
        return client.post("/api/v1/inbox/notify", Json.text(body));
    }

    private List<String> items(Square.Person person) {
        return db.read(reads -> reads.query("""
                        SELECT action || ':' || state FROM inbox.notifications WHERE user_id = :user ORDER BY id
                        """)
                .bind("user", UserId.parse(person.id()).value())
                .mapTo(String.class)
                .list());
    }

    @Test
    void aResourceIsMadeChangedReadAndDeletedByItsName() {
        var made = put(
                "merge_request/m1",
                "{'title': 'Add a door', 'namespace': 'a/b', 'url': 'https://x.example/m1', 'state': 'opened',"
                        + " 'updatedAt': '2026-05-01T12:00:00Z', 'draft': true, 'number': 4}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.json().path("newest").asBoolean()).isTrue();
        assertThat(made.json().at("/resource/namespace/path").asString()).isEqualTo("a/b");
        var later = put(
                "merge_request/m1",
                "{'title': 'Add two doors', 'namespace': 'a/c', 'updatedAt': '2026-05-01T13:00:00Z'}");
        assertThat(later.outcome()).isEqualTo("200");
        var older =
                put("merge_request/m1", "{'title': 'A door', 'namespace': 'a/b', 'updatedAt': '2026-05-01T12:30:00Z'}");
        assertThat(older.outcome()).isEqualTo("200");
        assertThat(older.json().path("newest").asBoolean()).isFalse();
        var found = operator.get("/api/v1/inbox/resources/merge_request/m1");
        assertThat(found.text("title")).isEqualTo("Add two doors");
        assertThat(found.json().at("/namespace/path").asString()).isEqualTo("a/c");
        assertThat(found.text("updatedAt")).isEqualTo("2026-05-01T13:00:00.000Z");
        assertThat(operator.delete("/api/v1/inbox/resources/merge_request/m1").outcome())
                .isEqualTo("204");
        assertThat(operator.delete("/api/v1/inbox/resources/merge_request/m1").outcome())
                .isEqualTo("404 inbox.resource-not-found");
        assertThat(operator.get("/api/v1/inbox/resources/merge_request/m1").outcome())
                .isEqualTo("404 inbox.resource-not-found");
    }

    @Test
    void everyResourceTypeOfOtherProgramsIsAccepted() {
        issue("for-notes");
        for (var type : List.of("issue", "merge_request", "post", "saga", "knowledge_source", "record")) {
            assertThat(put(type + "/t1", "{'title': 'T', 'namespace': 'types'}").outcome())
                    .as(type)
                    .isEqualTo("201");
        }
        assertThat(put("commit/t1", "{'title': 'T', 'namespace': 'types', 'sha': 'abc1234', 'ref': 'main'}")
                        .outcome())
                .isEqualTo("201");
        assertThat(put(
                                "note/t1",
                                "{'title': 'T', 'namespace': 'types',"
                                        + " 'target': {'resourceType': 'issue', 'resource': 'for-notes'}}")
                        .outcome())
                .isEqualTo("201");
        for (var refused : Map.of(
                        "ssh_key/t1",
                        "{'title': 'T', 'namespace': 'types'}",
                        "namespace/t1",
                        "{'title': 'T', 'namespace': 'types'}",
                        "teapot/t1",
                        "{'title': 'T', 'namespace': 'types'}",
                        "commit/t2",
                        "{'title': 'T', 'namespace': 'types', 'sha': 'no hash'}",
                        "issue/t2",
                        "{'title': 'T', 'namespace': 'types', 'workItemType': 'wish'}",
                        "issue/t3",
                        "{'title': 'T', 'namespace': 'a//b'}",
                        "issue/t4",
                        "{'title': 'T', 'namespace': 'a', 'updatedAt': '2199-01-01T00:00:00Z'}",
                        "issue/t5",
                        "{'title': 'T', 'namespace': 'a', 'updatedAt': '-4000-01-01T00:00:00Z'}",
                        "issue/" + "x".repeat(256),
                        "{'title': 'T', 'namespace': 'a'}")
                .entrySet()) {
            assertThat(put(refused.getKey(), refused.getValue()).outcome())
                    .as(refused.getKey())
                    .isEqualTo("400 inbox.invalid");
        }
        assertThat(put(
                                "note/t2",
                                "{'title': 'T', 'namespace': 'a',"
                                        + " 'target': {'resourceType': 'issue', 'resource': 'nowhere'}}")
                        .outcome())
                .isEqualTo("404 inbox.resource-not-found");
    }

    @Test
    void peopleAreNotifiedByIdOrAddressAndTheOthersAreListed() {
        issue("n1");
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var cat = square.person("Cat");
        db.useTransaction(tx ->
                tx.update("""
                        INSERT INTO inbox.preferences (user_id, action, delivery) VALUES (:user, 1, 'off')
                        """).bind("user", UserId.parse(cat.id()).value()).execute());
        var first = sendNotification(operator, "n1", "assigned", Map.of("user", ann.id(), "author", bob.email()));
        assertThat(first.outcome()).as(first.body()).isEqualTo("200");
        assertThat(first.json().path("made").asInt()).isEqualTo(1);
        var all = sendNotification(
                        operator, "n1", "assigned", Map.of("users", List.of(ann.id(), bob.email(), cat.id(), bob.id())))
                .json();
        assertThat(all.path("made").asInt()).isEqualTo(1);
        assertThat(all.at("/items/0/user").asString()).isEqualTo(bob.id());
        assertThat(all.path("duplicates").toString()).isEqualTo("[\"%s\"]".formatted(ann.id()));
        assertThat(all.path("off").toString()).isEqualTo("[\"%s\"]".formatted(cat.id()));
        assertThat(items(ann)).containsExactly("1:0");
    }

    @Test
    void aRepeatWithItsKeyNotifiesNobodyTwice() {
        issue("n2");
        var ann = square.person("Ann");
        var keyed = operator.with("Idempotency-Key", "mention-1");
        var first = sendNotification(keyed, "n2", "mentioned", Map.of("user", ann.id()));
        var again = sendNotification(keyed, "n2", "mentioned", Map.of("user", ann.id()));
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(items(ann)).containsExactly("2:0");
    }

    @Test
    void anInvalidNotificationIsRejectedAsAWhole() {
        issue("n3");
        var ann = square.person("Ann");
        assertThat(sendNotification(operator, "n3", "assigned", Map.of("users", List.of(ann.id(), "0000000000000001")))
                        .outcome())
                .isEqualTo("404 inbox.user-not-found");
        assertThat(sendNotification(operator, "n3", "assigned", Map.of("user", "nobody@nowhere.example"))
                        .outcome())
                .isEqualTo("404 inbox.user-not-found");
        assertThat(sendNotification(operator, "n3", "assigned", Map.of("user", "no address"))
                        .outcome())
                .isEqualTo("400 accounts.invalid");
        assertThat(sendNotification(operator, "n4", "assigned", Map.of("user", ann.id()))
                        .outcome())
                .isEqualTo("404 inbox.resource-not-found");
        assertThat(sendNotification(operator, "n3", "wished", Map.of("user", ann.id()))
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(sendNotification(operator, "n3", "assigned", Map.of()).outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(sendNotification(operator, "n3", "assigned", Map.of("user", ann.id(), "users", List.of(ann.id())))
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(sendNotification(operator, "n3", "assigned", Map.of("users", List.of()))
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(sendNotification(operator, "n3", "assigned", Map.of("users", Collections.nCopies(1001, ann.id())))
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(sendNotification(
                                operator,
                                "n3",
                                "assigned",
                                Map.of("user", ann.id(), "at", Instant.now().plus(Duration.ofHours(1))))
                        .outcome())
                .isEqualTo("400 inbox.invalid");
        assertThat(items(ann)).isEmpty();
    }

    @Test
    void onlyOperatorsAndAdminsSpeakForOthers() {
        issue("n5");
        var ann = square.person("Ann");
        var namespace = operator.get("/api/v1/inbox/resources/issue/n5")
                .json()
                .at("/namespace/id")
                .asString();
        var member = "/api/v1/inbox/namespaces/%s/members/%s".formatted(namespace, ann.id());
        var refusals = new ArrayList<String>();
        var api = ann.api();
        refusals.add(api.put("/api/v1/inbox/resources/issue/n5", "{'title': 'T', 'namespace': 'a'}")
                .outcome());
        refusals.add(api.get("/api/v1/inbox/resources/issue/n5").outcome());
        refusals.add(api.delete("/api/v1/inbox/resources/issue/n5").outcome());
        refusals.add(sendNotification(api, "n5", "assigned", Map.of("user", ann.id()))
                .outcome());
        refusals.add(api.post(
                        "/api/v1/inbox/acted",
                        Json.text(Map.of("user", ann.id(), "resourceType", "issue", "resource", "n5")))
                .outcome());
        refusals.add(api.post("/api/v1/inbox/stirred", "{'resourceType': 'issue', 'resource': 'n5', 'event': 'any'}")
                .outcome());
        refusals.add(api.put(member, "{}").outcome());
        refusals.add(api.delete(member).outcome());
        assertThat(refusals).hasSize(8).containsOnly("403 inbox.operators-only");
        assertThat(square.anonymous().get("/api/v1/inbox/resources/issue/n5").outcome())
                .startsWith("401");
        assertThat(sendNotification(square.admin.api(), "n5", "assigned", Map.of("user", ann.id()))
                        .outcome())
                .isEqualTo("200");
    }

    @Test
    void activityResolvesItemsAndSoDoesAClosedResource() {
        issue("n6");
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        sendNotification(operator, "n6", "assigned", Map.of("users", List.of(ann.id(), bob.id())));
        sendNotification(operator, "n6", "mentioned", Map.of("user", bob.id()));
        assertThat(operator.post(
                                "/api/v1/inbox/acted",
                                Json.text(Map.of("user", ann.email(), "resourceType", "issue", "resource", "n6")))
                        .outcome())
                .isEqualTo("204");
        assertThat(items(ann)).containsExactly("1:2");
        assertThat(items(bob)).containsExactly("1:0", "2:0");
        put("issue/n6", "{'title': 'It burnt', 'namespace': 'fire/house', 'state': 'closed'}");
        assertThat(items(bob)).containsExactly("1:2", "2:0");
        put("issue/n6", "{'title': 'It burns again', 'namespace': 'fire/house', 'state': 'opened'}");
        assertThat(items(bob)).containsExactly("1:0", "2:0");
        operator.delete("/api/v1/inbox/resources/issue/n6");
        assertThat(items(bob)).isEmpty();
    }

    @Test
    void itemsSnoozedUntilAnEventAreWoken() {
        issue("n7");
        var ann = square.person("Ann");
        sendNotification(operator, "n7", "mentioned", Map.of("user", ann.id()));
        snooze(ann, "comment");
        assertThat(stirred("n7", "rain")).isEqualTo("400 inbox.invalid");
        assertThat(stirred("n7", "pipeline")).isEqualTo("204");
        assertThat(items(ann)).containsExactly("2:1");
        assertThat(stirred("n7", "comment")).isEqualTo("204");
        assertThat(items(ann)).containsExactly("2:0");
        snooze(ann, "any");
        put("issue/n7", "{'title': 'It burns', 'namespace': 'fire/house'}");
        assertThat(items(ann)).as("nothing has changed").containsExactly("2:1");
        put("issue/n7", "{'title': 'It smokes', 'namespace': 'fire/house'}");
        assertThat(items(ann)).as("a new title is an event").containsExactly("2:0");
        snooze(ann, "merge");
        put("issue/n7", "{'title': 'It smokes', 'namespace': 'fire/house', 'state': 'closed'}");
        assertThat(items(ann)).as("it will not be merged").containsExactly("2:0");
    }

    private void snooze(Square.Person person, String event) {
        db.useTransaction(tx -> tx.update(
                        "UPDATE inbox.notifications SET state = 1, snoozed_event = :event WHERE user_id = :user")
                .bind("event", event)
                .bind("user", UserId.parse(person.id()).value())
                .execute());
    }

    private String stirred(String issue, String event) {
        var body = Map.of("resourceType", "issue", "resource", issue, "event", event);
        return operator.post("/api/v1/inbox/stirred", Json.text(body)).outcome();
    }

    @Test
    void namespacesAreShownToThoseWhoHaveItemsInThemAndToAdmins() {
        put("issue/s1", "{'title': 'T', 'namespace': 'secret/one/deep'}");
        put("issue/s2", "{'title': 'T', 'namespace': 'secret/two'}");
        var ann = square.person("Ann");
        sendNotification(operator, "s1", "assigned", Map.of("user", ann.id()));
        assertThat(paths(ann.api(), "prefix=secret")).containsExactly("secret", "secret/one", "secret/one/deep");
        assertThat(paths(ann.api(), "prefix=Secret/o")).containsExactly("secret/one", "secret/one/deep");
        assertThat(paths(ann.api(), "prefix=%25")).isEmpty();
        assertThat(paths(square.admin.api(), "prefix=secret"))
                .containsExactly("secret", "secret/one", "secret/one/deep", "secret/two");
        var first = ann.api().get("/api/v1/inbox/namespaces?prefix=secret&limit=2");
        assertThat(paths(ann.api(), "prefix=secret&limit=2&after=" + first.text("next")))
                .containsExactly("secret/one/deep");
        assertThat(paths(square.person("Nobody").api(), "")).isEmpty();
    }

    private static List<String> paths(ApiClient client, String query) {
        return client.get("/api/v1/inbox/namespaces?" + query)
                .json()
                .path("items")
                .valueStream()
                .map(item -> item.path("path").asString())
                .toList();
    }

    @Test
    void whoLosesAccessLosesTheirItems() {
        put("issue/l1", "{'title': 'T', 'namespace': 'club/room'}");
        var ann = square.person("Ann");
        sendNotification(operator, "l1", "assigned", Map.of("user", ann.id()));
        var club = square.admin
                .api()
                .get("/api/v1/inbox/namespaces?prefix=club")
                .json()
                .at("/items/0/id")
                .asString();
        var member = "/api/v1/inbox/namespaces/%s/members/%s".formatted(club, ann.id());
        assertThat(operator.put(member, "{'access': 40}").outcome()).isEqualTo("204");
        assertThat(operator.put(member, "").outcome()).isEqualTo("204");
        assertThat(operator.put(member, "{'access': 51}").outcome()).isEqualTo("400 inbox.invalid");
        assertThat(operator.put("/api/v1/inbox/namespaces/0000000000000001/members/" + ann.id(), "{}")
                        .outcome())
                .isEqualTo("404 inbox.namespace-not-found");
        assertThat(items(ann)).hasSize(1);
        assertThat(operator.delete(member).outcome()).isEqualTo("204");
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> items(ann).isEmpty());
    }

    @Test
    void anybodyMarksAPostOrWhatTheyHadAnItemAbout() {
        issue("k1");
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var post = bob.post("Something **to** remember\n\nand more");
        var marked = mark(ann, "post", post);
        assertThat(marked.outcome()).as(marked.body()).isEqualTo("201");
        var again = mark(ann, "post", post);
        assertThat(again.outcome() + " " + again.text("id")).isEqualTo("200 " + marked.text("id"));
        assertThat(items(ann)).containsExactly("4:0");
        assertThat(db.<String>read(reads ->
                        reads.query("""
                        SELECT title FROM inbox.resources WHERE external_id = :post
                        """).bind("post", post).mapTo(String.class).one()))
                .isEqualTo("Something to remember");
        assertThat(mark(ann, "post", "0000000000000001").outcome()).isEqualTo("404 inbox.resource-not-found");
        assertThat(mark(ann, "post", "no id").outcome()).isEqualTo("404 inbox.resource-not-found");
        assertThat(mark(ann, "issue", "k1").outcome()).isEqualTo("404 inbox.resource-not-found");
        sendNotification(operator, "k1", "assigned", Map.of("user", ann.id()));
        assertThat(mark(ann, "issue", "k1").outcome()).isEqualTo("201");
        assertThat(mark(bob, "issue", "k1").outcome()).isEqualTo("404 inbox.resource-not-found");
    }

    @Test
    void markingIsRefusedIfPreferencesTurnItOff() {
        var ann = square.person("Ann");
        db.useTransaction(tx ->
                tx.update("""
                        INSERT INTO inbox.preferences (user_id, action, delivery) VALUES (:user, 4, 'off')
                        """).bind("user", UserId.parse(ann.id()).value()).execute());
        assertThat(mark(ann, "post", ann.post("Mine")).outcome()).isEqualTo("409 inbox.turned-off");
    }

    private static ApiClient.Reply mark(Square.Person person, String type, String resource) {
        return person.api().post("/api/v1/inbox/mark", Json.text(Map.of("resourceType", type, "resource", resource)));
    }
}
