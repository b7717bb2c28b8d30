package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestPlatform;
import io.hiroba.webhooks.DeliveryQueueStore.NewDelivery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two nodes that deliver from the same queues, one of which falls silent. */
class WebhookNodesTest {

    private static final long WEBHOOK = 1;
    private static final String QUEUE = "key";

    private static final WebhooksConfig CONFIG = new WebhooksConfig(
            true,
            Duration.ofSeconds(20),
            Duration.ofSeconds(5),
            Duration.ofHours(24),
            Duration.ofDays(3),
            Duration.ofDays(30),
            20);

    private final TestAccounts accounts = new TestAccounts();
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Integer>> answers = new ConcurrentHashMap<>();

    /** Each request waits for its answer. */
    private final TestHttpService receiver = TestHttpService.start(
            (asked, exchange) -> TestHttpService.reply(exchange, answer(requests.incrementAndGet()).join(), ""));

    private final WebhookSender sender =
            new WebhookSender(accounts.clock, CONFIG.timeout(), new SafeAddressResolver(true));
    private final WebhookWorker first = node();
    private final WebhookWorker second = node();

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
        accounts.close();
    }

    private WebhookWorker node() {
        var catalog = new EventCatalog(List.of());
        return new WebhookWorker(
                new WebhookWorker.Parts(
                        accounts.db,
                        accounts.clock,
                        new EventLog(),
                        catalog,
                        new WebhookRights(catalog, accounts.users),
                        new WebhookSecrets(TestPlatform.encryption(accounts.db), accounts.lease.ids()),
                        accounts.users,
                        accounts.mailer,
                        new Site("test", "http://localhost"),
                        new SimpleMeterRegistry()),
                sender,
                CONFIG,
                new WakeSignal(),
                () -> {});
    }

    private void webhook(UserId owner) {
        accounts.db.useTransaction(tx -> new WebhookStore()
                .insert(
                        tx,
                        new OutgoingWebhook(
                                WEBHOOK,
                                owner,
                                receiver.url(),
                                EventFilter.ALL,
                                "",
                                false,
                                0,
                                Instant.EPOCH,
                                null,
                                null,
                                null,
                                null,
                                false)));
    }

    private void queue(long delivery) {
        accounts.db.useTransaction(tx -> new DeliveryQueueStore()
                .add(
                        tx,
                        List.of(new NewDelivery(
                                delivery, WEBHOOK, delivery, OutgoingDelivery.PING, QUEUE, QUEUE))));
    }

    private CompletableFuture<Integer> answer(int request) {
        return answers.computeIfAbsent(request, _ -> new CompletableFuture<>());
    }

    /** Has a node make a delivery, which is the given request. */
    private CompletableFuture<Boolean> delivers(WebhookWorker node, int request) {
        var delivered = CompletableFuture.supplyAsync(
                node::deliverOne, command -> Thread.ofVirtual().start(command));
        await().until(() -> requests.get() == request);
        return delivered;
    }

    private void answer(int request, int status, CompletableFuture<Boolean> delivered) throws Exception {
        answer(request).complete(status);
        assertThat(delivered.get(20, TimeUnit.SECONDS)).isTrue();
    }

    private String status(long delivery) {
        return accounts.db
                .read(reads -> new DeliveryQueueStore().find(reads, WEBHOOK, delivery))
                .map(each -> each.status().code() + " after " + each.attempts())
                .orElseThrow();
    }

    @Test
    void aNodeThatWasSilentForLongerThanItsClaimRecordsNothing() throws Exception {
        webhook(accounts.user("Ann"));
        queue(11);
        var silent = delivers(first, 1);
        assertThat(second.deliverOne()).as("while the claim holds").isFalse();
        accounts.db.useTransaction(
                tx -> tx.update("UPDATE webhooks.queues SET due_at = now()").execute());
        answer(2, 200, delivers(second, 2));
        assertThat(receiver.asked().stream()
                        .map(asked -> asked.header("webhook-id"))
                        .distinct())
                .hasSize(1);

        // The queue has ended and begins anew, and is claimed as often as when the first node fell silent.
        queue(12);
        var next = delivers(second, 3);
        answer(1, 500, silent);
        assertThat(status(11)).isEqualTo("delivered after 1");
        assertThat(first.deliverOne()).as("while the other node delivers").isFalse();
        answer(3, 200, next);
        assertThat(status(12)).isEqualTo("delivered after 1");
    }
}
