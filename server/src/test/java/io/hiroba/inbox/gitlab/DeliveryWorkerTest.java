package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.TestInbox;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.testkit.ApiClient;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeliveryWorkerTest {

    private static final String ISSUE = """
            {"object_kind": "issue", "user": {"id": 1, "username": "root"},
             "project": {"id": 9, "path_with_namespace": "harbour/boat"},
             "object_attributes": {"id": %d, "title": "Leak", "action": "open", "state": "opened"},
             "assignees": [{"id": 2, "username": "ann"}]}
            """;

    private TestGitlab gitlab;

    @BeforeEach
    void open() {
        gitlab = new TestGitlab();
        gitlab.person(2, "ann");
    }

    @AfterEach
    void close() {
        gitlab.close();
    }

    private DeliveryWorker worker(DeliveryWorker.Handler handler) {
        return new DeliveryWorker(
                gitlab.inbox.db,
                gitlab.inbox.accounts.clock,
                InboxConfig.DEFAULT,
                gitlab.signal,
                handler,
                gitlab.meters);
    }

    private WebhookDeliveries.Receipt receive(String key, int issue) {
        return gitlab.deliveries.receive(
                TestInbox.GITLAB, key, null, null, ISSUE.formatted(issue).getBytes(StandardCharsets.UTF_8));
    }

    private WebhookDelivery delivery(WebhookDeliveries.Receipt receipt) {
        var admin = gitlab.inbox.accounts.caller(gitlab.inbox.accounts.admin());
        return gitlab.deliveries.get(admin, TestInbox.GITLAB, receipt.id());
    }

    @Test
    void aRepeatedDeliveryIsKeptAndHandledOnce() {
        var first = receive("k1", 1);
        var second = receive("k1", 1);
        assertThat(second).isEqualTo(new WebhookDeliveries.Receipt(first.id(), true));
        var worker = worker(gitlab.events);
        assertThat(worker.workOne()).isTrue();
        assertThat(worker.workOne()).isFalse();
        assertThat(gitlab.items("ann")).containsExactly("assigned issue 1 todo");
    }

    @Test
    void deliveriesWithTheSameEventUuidAreDistinguishedByTheirBody() {
        var body = ISSUE.formatted(1).getBytes(StandardCharsets.UTF_8);
        var other = ISSUE.formatted(2).getBytes(StandardCharsets.UTF_8);
        assertThat(gitlab.deliveries
                        .receive(TestInbox.GITLAB, null, "u", null, body)
                        .repeated())
                .isFalse();
        assertThat(gitlab.deliveries
                        .receive(TestInbox.GITLAB, null, "u", null, other)
                        .repeated())
                .isFalse();
        assertThat(gitlab.deliveries
                        .receive(TestInbox.GITLAB, null, "u", null, body)
                        .repeated())
                .isTrue();
        assertThat(gitlab.deliveries
                        .receive(TestInbox.GITLAB, null, null, null, body)
                        .repeated())
                .isFalse();
    }

    @Test
    void aFailedDeliveryIsRolledBackRetriedAndGivenUpWithoutBlockingOthers() {
        var bad = receive("bad", 666);
        var good = receive("good", 1);
        var worker = worker((tx, call) -> {
            var outcome = gitlab.events.handle(tx, call);
            if (new String(call.payload(), StandardCharsets.UTF_8).contains("666")) {
                throw new IllegalStateException("no\0 good");
            }
            return outcome;
        });
        assertThat(List.of(worker.workOne(), worker.workOne(), worker.workOne()))
                .containsExactly(true, true, false);
        assertThat(delivery(good).state()).isEqualTo(DeliveryState.HANDLED);
        assertThat(delivery(bad).attempts()).isEqualTo(1);
        assertThat(delivery(bad).outcome()).asString().contains("IllegalStateException: no");
        assertThat(gitlab.items("ann")).containsExactly("assigned issue 1 todo");
        for (int i = 0; i < 9; i++) {
            gitlab.inbox.accounts.clock.advance(Duration.ofHours(5));
            assertThat(worker.workOne()).isTrue();
        }
        assertThat(delivery(bad).state()).isEqualTo(DeliveryState.FAILED);
        assertThat(delivery(bad).attempts()).isEqualTo(10);
        var admin = gitlab.inbox.accounts.caller(gitlab.inbox.accounts.admin());
        gitlab.deliveries.retry(admin, TestInbox.GITLAB, bad.id());
        worker(gitlab.events).workOne();
        assertThat(delivery(bad).state()).isEqualTo(DeliveryState.HANDLED);
        assertThat(gitlab.items("ann")).contains("assigned issue 666 todo");
    }

    @Test
    void aWorkerWhoseConnectionDiesLosesNothingAndAnotherTakesItOver() throws InterruptedException {
        var receipt = receive("k", 1);
        var tries = new AtomicInteger();
        var worker = worker((tx, call) -> {
            var outcome = gitlab.events.handle(tx, call);
            if (tries.incrementAndGet() == 1) {
                var pid =
                        tx.query("SELECT pg_backend_pid()").mapTo(Integer.class).one();
                gitlab.inbox.db.read(reads -> reads.query("SELECT pg_terminate_backend(:pid)")
                        .bind("pid", pid)
                        .mapTo(Boolean.class)
                        .one());
            }
            return outcome;
        });
        var done = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            while (Optional.of(delivery(receipt))
                    .filter(d -> d.state() == DeliveryState.WAITING)
                    .isPresent()) {
                worker.workOne();
                gitlab.inbox.accounts.clock.advance(Duration.ofSeconds(2));
            }
            done.countDown();
        });
        assertThat(done.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        assertThat(delivery(receipt).state()).isEqualTo(DeliveryState.HANDLED);
        assertThat(delivery(receipt).attempts())
                .as("the database's failure is not the delivery's")
                .isEqualTo(1);
        assertThat(gitlab.items("ann")).containsExactly("assigned issue 1 todo");
    }

    @Test
    void whatTakesTooLongIsGivenUpAndWhatLosesItsConnectionWaitsLongerEachTime() {
        var slow = receive("slow", 1);
        var unlucky = receive("unlucky", 2);
        var worker = worker((tx, call) -> {
            throw new IllegalStateException(new SQLException("no", call.id().equals(slow.id()) ? "57014" : "08006"));
        });
        for (int i = 0; i < 12; i++) {
            worker.workOne();
            worker.workOne();
            gitlab.inbox.accounts.clock.advance(Duration.ofHours(5));
        }
        assertThat(delivery(slow).state()).isEqualTo(DeliveryState.FAILED);
        assertThat(delivery(unlucky).state()).isEqualTo(DeliveryState.WAITING);
        assertThat(delivery(unlucky).attempts()).isZero();
        gitlab.inbox.accounts.clock.advance(Duration.ofHours(-2));
        assertThat(worker.workOne()).as("due in an hour only").isFalse();
    }

    @Test
    void aLongKeyIsKept() {
        var body = ISSUE.formatted(1).getBytes(StandardCharsets.UTF_8);
        for (int length : new int[] {64, 65, 80, 81, 300}) {
            var receipt = gitlab.deliveries.receive(TestInbox.GITLAB, null, "u".repeat(length), null, body);
            assertThat(receipt.repeated()).isFalse();
        }
    }

    @Test
    void whatIsUnknownIsIgnoredAndCounted() {
        var body = "{\"object_kind\": \"feature_flag\"}".getBytes(StandardCharsets.UTF_8);
        gitlab.deliveries.receive(TestInbox.GITLAB, "f", null, "Feature Flag Hook", body);
        gitlab.deliveries.receive(TestInbox.GITLAB, "g", null, "New Hook", "{}".getBytes(StandardCharsets.UTF_8));
        var worker = worker(gitlab.events);
        worker.workOne();
        worker.workOne();
        var admin = gitlab.inbox.accounts.caller(gitlab.inbox.accounts.admin());
        assertThat(gitlab.deliveries.counts(admin, TestInbox.GITLAB))
                .containsExactly(
                        new WebhookDeliveries.EventCount("feature_flag", DeliveryState.IGNORED, 1),
                        new WebhookDeliveries.EventCount("new_hook", DeliveryState.IGNORED, 1));
    }

    @Test
    void whatWasHandledGoesAfterAWhileAndWhatWaitsStays() {
        receive("old", 1);
        var worker = worker(gitlab.events);
        worker.workOne();
        var waiting = receive("waits", 2);
        gitlab.inbox.accounts.clock.advance(Duration.ofDays(31));
        assertThat(worker.sweep()).isEqualTo(1);
        assertThat(delivery(waiting).state()).isEqualTo(DeliveryState.WAITING);
    }

    @Test
    void theCallsOfAConnectionAreLimitedAndWrongSecretsDoNotCountAgainstIt() {
        var db = gitlab.inbox.db;
        var secret = WebhookSecret.random();
        db.useTransaction(tx -> new ConnectionStore().setSecret(tx, TestInbox.GITLAB, secret));
        var routes = new WebhookRoutes(
                new Connections(db, gitlab.inbox.accounts.lease.ids(), HttpConfig.onFreePort()),
                gitlab.deliveries,
                new RateLimiter(new HttpConfig.RateLimit(true, 2, 2), gitlab.inbox.accounts.clock),
                new ClientAddress(List.of()));
        try (var server = HttpServer.builder(HttpConfig.onFreePort(), db)
                .routes(routes)
                .allowCrossSite(Connections.HOOKS)
                .build()
                .start()) {
            var path = Connections.HOOKS + TestInbox.GITLAB.hex();
            var anonymous = ApiClient.anonymous(server.port());
            var stranger = anonymous.with("X-Gitlab-Token", "hrh_wrong");
            var known = anonymous.with("X-Gitlab-Token", secret.text());
            assertThat(Stream.generate(() -> stranger.post(path, "{}").outcome())
                            .limit(3))
                    .containsExactly("401 inbox.wrong-secret", "401 inbox.wrong-secret", "429 http.rate-limited");
            assertThat(Stream.generate(() -> known.post(path, "[]").outcome()).limit(3))
                    .containsExactly("400 inbox.not-json", "400 inbox.not-json", "429 http.rate-limited");
            assertThat(known.post(path, "[]").header("Retry-After")).isEqualTo("30");
        }
    }
}
