package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Outgoing webhooks with a receiver that fails, hangs and is gone: signatures, order, retries, rights and the log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhooksTest {

    private static final String PATH = "/api/v1/webhooks";

    private Square square;
    private Person ann;
    private Person bob;

    @BeforeAll
    void open() {
        square = new Square(
                "--webhooks.private-addresses=true",
                "--webhooks.retry-delay=50ms",
                "--webhooks.timeout=2s",
                "--webhooks.per-user=30");
        ann = square.person("Ann");
        bob = square.person("Bob");
    }

    @AfterEach
    void deleteWebhooks() {
        execute("DELETE FROM webhooks.webhooks");
    }

    @AfterAll
    void close() {
        square.close();
    }

    private static ApiClient.Reply made(Person person, WebhookReceiver receiver, String... events) {
        var reply = person.api()
                .post(PATH, Json.text(Map.of("url", receiver.service.url() + "/hook", "events", List.of(events))));
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
        return reply;
    }

    /** The deliveries of a webhook as {@code type status error}, newest first. */
    private static List<String> deliveries(Person person, String webhook) {
        return person.api()
                .get(PATH + "/" + webhook + "/deliveries")
                .json()
                .path("items")
                .valueStream()
                .map(each -> (each.path("type").asString() + " "
                                + each.path("status").asString() + " "
                                + each.path("error").asString(""))
                        .strip())
                .toList();
    }

    private static void becomes(Person person, String webhook, String... deliveries) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(deliveries(person, webhook)).containsExactly(deliveries));
    }

    private void edit(String post) {
        var body = "{'content': 'edited', 'tags': [], 'allowLikes': true, 'allowReplies': true}";
        assertThat(ann.api().put("/api/v1/posts/" + post, body).outcome()).isEqualTo("200");
    }

    private int execute(String sql) {
        return square.server.database().db().inTransaction(tx -> tx.update(sql).execute());
    }

    @Test
    void aDeliveryIsSignedAndStandsInTheLog() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.created");
            var post = ann.post("signed");
            receiver.gets(post, "post.created");
            var asked = receiver.asked(post).getFirst();
            var event = receiver.events(post).getFirst();
            assertThat(asked.method() + " " + asked.path()).isEqualTo("POST /hook");
            assertThat(asked.header("webhook-id")).isEqualTo(event.path("id").asString());
            var key = Base64.getDecoder().decode(webhook.text("secret").substring("whsec_".length()));
            assertThat(asked.header("webhook-signature"))
                    .isEqualTo(WebhookSender.signatures(
                            asked.header("webhook-id"), asked.header("webhook-timestamp"), asked.body(), List.of(key)));
            assertThat(event.path("data").path("userId").asString()).isEqualTo(ann.id());

            becomes(bob, webhook.text("id"), "post.created delivered");
            var log = PATH + "/" + webhook.text("id") + "/deliveries";
            var delivery = bob.api().get(log).json().path("items").path(0);
            var details =
                    bob.api().get(log + "/" + delivery.path("id").asString()).json();
            assertThat(details.path("request").path("key").asString()).isEqualTo(post);
            assertThat(details.path("response").asString()).isEqualTo("thanks");
            assertThat(delivery.path("httpStatus").asInt()).isEqualTo(200);
            assertThat(bob.api().get(PATH + "/" + webhook.text("id")).body()).doesNotContain("secret", "whsec_");

            assertThat(bob.api()
                            .post(log + "/" + delivery.path("id").asString() + "/redeliver", "")
                            .status())
                    .isEqualTo(202);
            receiver.gets(post, "post.created", "post.created");
            assertThat(receiver.asked(post).stream().map(each -> each.header("webhook-id")))
                    .containsOnly(asked.header("webhook-id"));
        }
    }

    @Test
    void aFailureHoldsBackTheLaterEventsOfItsKeyAndNoOthers() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.*");
            receiver.failWith = 503;
            receiver.failuresOfFirst.set(3);
            var held = ann.post("held back");
            await().until(() -> !receiver.types(held).isEmpty());
            edit(held);
            var other = ann.post("not held back");
            receiver.gets(other, "post.created");
            ann.api().delete("/api/v1/posts/" + held);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(receiver.types(held)).endsWith("post.updated", "post.deleted"));
            var types = receiver.types(held);
            assertThat(types.subList(0, types.size() - 2)).isNotEmpty().containsOnly("post.created");
            assertThat(receiver.asked(held).stream()
                            .limit(types.size() - 2)
                            .map(each -> each.header("webhook-id"))
                            .distinct())
                    .hasSize(1);
            becomes(
                    bob,
                    webhook.text("id"),
                    "post.deleted delivered",
                    "post.created delivered",
                    "post.updated delivered",
                    "post.created delivered");
        }
    }

    @Test
    void aReceiverThatHangsIsTriedAgainAndOneThatLostItsClaimRecordsNothing() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.created");
            receiver.failWith = 0;
            receiver.failFor(webhook.text("id"), 1);
            var ping = bob.api().post(PATH + "/" + webhook.text("id") + "/ping", "");
            assertThat(ping.status()).isEqualTo(202);
            await().until(() -> !receiver.asked(webhook.text("id")).isEmpty());
            // Another node takes the queue over, as if this one had been silent for too long.
            assertThat(
                            execute(
                                    "UPDATE webhooks.queues SET fence = fence + 1, due_at = now() WHERE queue LIKE 'delivery %'"))
                    .isEqualTo(1);
            receiver.hanging.countDown();
            bob.api().post(PATH + "/" + webhook.text("id") + "/ping", "");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(receiver.asked(webhook.text("id")).stream()
                                    .filter(each -> each.header("webhook-id").equals(ping.text("eventId"))))
                            .hasSize(2));
            becomes(bob, webhook.text("id"), "ping delivered", "ping delivered");
        }
    }

    @Test
    void anAnswerThatTakesTooLongIsAFailure() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.created");
            receiver.failWith = 0;
            receiver.failFor(webhook.text("id"), 1);
            bob.api().post(PATH + "/" + webhook.text("id") + "/ping", "");
            becomes(bob, webhook.text("id"), "ping failed timeout");
        }
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.created");
            receiver.failWith = 302;
            receiver.failFor(webhook.text("id"), 1);
            bob.api().post(PATH + "/" + webhook.text("id") + "/ping", "");
            becomes(bob, webhook.text("id"), "ping failed status");
            assertThat(receiver.service.asked()).hasSize(1);
        }
    }

    @Test
    void aDeliveryIsGivenUpAfterADayAndTheNextOfItsKeyGoesOn() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.*");
            receiver.failuresOfFirst.set(1000);
            var post = ann.post("given up");
            await().until(() -> receiver.types(post).size() > 1);
            edit(post);
            execute(
                    "UPDATE webhooks.deliveries SET created_at = now() - interval '25 hours' WHERE type = 'post.created'"
                            + " AND status = 'pending'");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(receiver.types(post)).contains("post.updated"));
            receiver.failFor(post, 0);
            becomes(bob, webhook.text("id"), "post.updated delivered", "post.created failed status");
        }
    }

    @Test
    void goneDisablesTheWebhookAndAReplayDeliversWhatItMissed() throws IOException {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.created");
            var path = PATH + "/" + webhook.text("id");
            var start = Instant.now();
            receiver.failWith = 410;
            receiver.failFor(webhook.text("id"), 1);
            bob.api().post(path + "/ping", "");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() ->
                            assertThat(bob.api().get(path).text("disabledBy")).isEqualTo("gone"));
            await().untilAsserted(() -> assertThat(mails()).contains("A webhook was disabled"));
            assertThat(bob.api().post(path + "/ping", "").outcome()).isEqualTo("409 webhooks.disabled");
            var missed = ann.post("missed");
            assertThat(bob.api()
                            .put(
                                    path,
                                    Json.text(Map.of("url", receiver.service.url(), "events", List.of("post.created"))))
                            .outcome())
                    .isEqualTo("200");
            var later = ann.post("after it was enabled");
            receiver.gets(later, "post.created");
            assertThat(receiver.types(missed)).isEmpty();
            assertThat(bob.api()
                            .post(path + "/replay", "{'since': '" + start + "'}")
                            .status())
                    .isEqualTo(202);
            receiver.gets(missed, "post.created");
            receiver.gets(later, "post.created", "post.created");
            assertThat(bob.api().post(path + "/replay", "{'after': '0'}").status())
                    .isEqualTo(202);
            receiver.gets(missed, "post.created", "post.created");
            assertThat(bob.api()
                            .post(path + "/replay", "{'since': '2001-01-01T00:00:00Z'}")
                            .outcome())
                    .isEqualTo("410 webhooks.cursor-expired");
            assertThat(bob.api().post(path + "/replay", "{}").outcome()).isEqualTo("400 webhooks.invalid");
        }
    }

    private String mails() throws IOException {
        var all = new StringBuilder();
        try (var files = Files.list(square.server.data().resolve("mail"))) {
            for (var file : files.toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Test
    void oneThatFailsForDaysIsDisabled() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = made(bob, receiver, "post.created");
            receiver.failFor(webhook.text("id"), 1);
            execute("UPDATE webhooks.webhooks SET failing_since = now() - interval '4 days' WHERE url LIKE '%"
                    + receiver.service.url().replaceAll(".*:", "") + "%'");
            bob.api().post(PATH + "/" + webhook.text("id") + "/ping", "");
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(bob.api()
                                    .get(PATH + "/" + webhook.text("id"))
                                    .text("disabledBy"))
                            .isEqualTo("failing"));
        }
    }

    @Test
    void aWebhookIsToldWhatItsOwnerMayReadWhenItIsDelivered() {
        var member = square.person("Member");
        var project = ann.api().post("/api/v1/projects", "{'name': 'Hooks'}").text("id");
        var path = "/api/v1/projects/" + project;
        ann.api().post(path + "/schemas", "{'name': 'task', 'attributes': [{'name': 'title', 'type': 'text'}]}");
        ann.api().put(path + "/members/" + member.id(), "{'role': 'viewer'}");
        try (var receiver = new WebhookReceiver();
                var strangers = new WebhookReceiver()) {
            var webhook = made(member, receiver, "record.*", "saga.*", "inbox.*");
            var stranger = made(bob, strangers, "record.*", "saga.*");
            receiver.failWith = 503;
            var first =
                    ann.api().post(path + "/records/task", "{'title': 'one'}").text("id");
            receiver.gets(first, "record.created");
            becomes(member, webhook.text("id"), "record.created delivered");

            // While it waits for its next attempt, the right to read it is lost.
            receiver.failures.put(first, new AtomicInteger(3));
            ann.api().put(path + "/records/task/" + first, "{'title': 'two'}");
            await().until(() -> receiver.types(first).contains("record.updated"));
            ann.api().delete(path + "/members/" + member.id());
            becomes(member, webhook.text("id"), "record.updated skipped not-readable", "record.created delivered");
            assertThat(deliveries(bob, stranger.text("id"))).isEmpty();
            assertThat(strangers.service.asked()).isEmpty();
        }
    }

    @Test
    void suspendedOwnersAndBlockedAuthorsAreLeftOut() {
        var owner = square.person("Suspended");
        var eve = square.person("Eve");
        try (var receiver = new WebhookReceiver();
                var watching = new WebhookReceiver()) {
            made(owner, receiver, "post.created");
            made(eve, watching, "post.created");
            var blocker = square.person("Blocker");
            blocker.block(eve);
            assertThat(square.admin
                            .api()
                            .post("/api/v1/users/" + owner.id() + "/suspend", "{}")
                            .status())
                    .isLessThan(300);
            var hidden = blocker.post("not for Eve");
            var shown = ann.post("for Eve");
            watching.gets(shown, "post.created");
            assertThat(watching.types(hidden)).isEmpty();
            assertThat(receiver.service.asked()).isEmpty();
        }
    }

    @Test
    void webhooksAreTheirOwnersAndAdminsSeeAndDeleteThem() {
        try (var receiver = new WebhookReceiver()) {
            var id = made(bob, receiver, "post.created").text("id");
            var path = PATH + "/" + id;
            assertThat(ann.api().get(path).outcome()).isEqualTo("404 webhooks.not-found");
            assertThat(ann.api().get(path + "/deliveries").outcome()).isEqualTo("404 webhooks.not-found");
            assertThat(ann.api().delete(path).outcome()).isEqualTo("404 webhooks.not-found");
            assertThat(ann.api().post(path + "/ping", "").outcome()).isEqualTo("404 webhooks.not-found");
            assertThat(ann.api().get(PATH + "?all=true").outcome()).isEqualTo("403 accounts.admin-only");
            assertThat(ids(ann.api().get(PATH))).isEmpty();
            assertThat(ids(square.admin.api().get(PATH + "?all=true"))).contains(id);
            assertThat(square.admin.api().post(path + "/secret", "").outcome()).isEqualTo("403 webhooks.owner-only");
            assertThat(square.admin.api().delete(path).outcome()).isEqualTo("204");
            assertThat(bob.api().get(path).outcome()).isEqualTo("404 webhooks.not-found");
            assertThat(square.audited("limit=2")).containsExactly("webhook-deleted", "webhook-created");
        }
    }

    private static List<String> ids(ApiClient.Reply reply) {
        return reply.json()
                .path("items")
                .valueStream()
                .map(each -> each.path("id").asString())
                .toList();
    }

    @Test
    void afterARotationBothSecretsSign() {
        try (var receiver = new WebhookReceiver()) {
            var webhook = bob.api()
                    .post(
                            PATH,
                            Json.text(Map.of(
                                    "url",
                                    receiver.service.url(),
                                    "events",
                                    List.of("post.created"),
                                    "secret",
                                    "a-text-of-my-own-choice")));
            assertThat(webhook.outcome()).as(webhook.body()).isEqualTo("201");
            var path = PATH + "/" + webhook.text("id");
            assertThat(bob.api().post(path + "/secret", "{'secret': 'short'}").outcome())
                    .isEqualTo("400 webhooks.invalid");
            var fresh = bob.api().post(path + "/secret", "").text("secret");
            bob.api().post(path + "/ping", "");
            becomes(bob, webhook.text("id"), "ping delivered");
            var asked = receiver.service.asked().getFirst();
            var keys = List.of(
                    Base64.getDecoder().decode(fresh.substring("whsec_".length())),
                    "a-text-of-my-own-choice".getBytes(StandardCharsets.UTF_8));
            assertThat(asked.header("webhook-signature"))
                    .isEqualTo(WebhookSender.signatures(
                            asked.header("webhook-id"), asked.header("webhook-timestamp"), asked.body(), keys));
        }
    }
}
