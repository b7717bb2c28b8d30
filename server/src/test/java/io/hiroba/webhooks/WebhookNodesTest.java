package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.testkit.TestAccounts;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestPlatform;
import io.hiroba.webhooks.DeliveryQueueStore.NewDelivery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

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
            100,
            Duration.ofDays(30),
            20);

    private final TestAccounts accounts = new TestAccounts();
    private final AtomicInteger requests = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Integer>> answers = new ConcurrentHashMap<>();

    /** Each request waits for its answer. */
    private final TestHttpService receiver = TestHttpService.start((asked, exchange) ->
            TestHttpService.reply(exchange, answer(requests.incrementAndGet()).join(), ""));

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
                        new WebhookRights(catalog, accounts.clock),
                        new WebhookSecrets(TestPlatform.encryption(accounts.db), accounts.lease.ids()),
                        accounts.users,
                        accounts.mailer,
                        new Site("test", "http://localhost"),
                        new SimpleMeterRegistry(),
                        Tracing.OFF),
                sender,
                CONFIG,
                new WakeSignal(),
                () -> {});
    }

    private void webhook(long id, UserId owner) {
        accounts.db.useTransaction(tx -> new WebhookStore()
                .insert(
                        tx,
                        new OutgoingWebhook(
                                id,
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
                                null,
                                false)));
    }

    private void queue(long delivery) {
        accounts.db.useTransaction(tx -> new DeliveryQueueStore()
                .add(tx, List.of(new NewDelivery(delivery, WEBHOOK, delivery, OutgoingDelivery.PING, QUEUE, QUEUE))));
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
        webhook(WEBHOOK, accounts.user("Ann"));
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

    private void sql(String statement) {
        accounts.db.useTransaction(tx -> tx.update(statement).execute());
    }

    @Test
    void aWebhookThatDeliversNothingIsDisabledWhenTooMuchWaits() throws Exception {
        webhook(WEBHOOK, accounts.user("Ann"));
        for (int i = 0; i < 102; i++) {
            var delivery = new NewDelivery(100 + i, WEBHOOK, i, OutgoingDelivery.PING, "key", "queue " + i);
            accounts.db.useTransaction(tx -> new DeliveryQueueStore().add(tx, List.of(delivery)));
        }
        answer(1, 500, delivers(first, 1));
        assertThat(isEnabled()).as("for a moment only").isTrue();
        sql("UPDATE webhooks.webhooks SET failing_since = now() - interval '2 hours'");
        answer(2, 500, delivers(first, 2));
        assertThat(isEnabled()).as("as many as may wait").isTrue();
        accounts.db.useTransaction(tx -> new DeliveryQueueStore()
                .add(tx, List.of(new NewDelivery(999, WEBHOOK, 999, OutgoingDelivery.PING, "key", "queue"))));
        accounts.db.useTransaction(tx -> new DeliveryQueueStore()
                .add(tx, List.of(new NewDelivery(998, WEBHOOK, 998, OutgoingDelivery.PING, "key", "more"))));
        answer(3, 500, delivers(first, 3));
        assertThat(isEnabled()).isFalse();
        assertThat(status(999)).startsWith("failed");
        assertThat(first.deliverOne()).isFalse();
    }

    private boolean isEnabled() {
        return accounts.db
                .read(reads -> new WebhookStore().find(reads, WEBHOOK))
                .orElseThrow()
                .isEnabled();
    }

    @Test
    void webhooksTakeTurns() throws Exception {
        var ann = accounts.user("Ann");
        for (long id = 1; id <= 3; id++) {
            webhook(id, ann);
            for (int i = 0; i < 2; i++) {
                var delivery = new NewDelivery(10 * id + i, id, i, OutgoingDelivery.PING, "key", "queue " + i);
                accounts.db.useTransaction(tx -> new DeliveryQueueStore().add(tx, List.of(delivery)));
            }
        }
        for (int request = 1; request <= 6; request++) {
            answer(request, 200, delivers(first, request));
        }
        assertThat(first.deliverOne()).isFalse();
        List<Long> turns = accounts.db.read(
                reads -> reads.query("SELECT webhook_id FROM webhooks.deliveries ORDER BY attempted_at")
                        .mapTo(Long.class)
                        .list());
        assertThat(turns).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
    }

    /** Publishes all events, to everybody but one. */
    private static final class Announcements implements PublishedEvents {

        private final UserId stranger;
        private int asked;

        Announcements(UserId stranger) {
            this.stranger = stranger;
        }

        @Override
        public String scope() {
            return "posts:read";
        }

        @Override
        public List<String> types() {
            return List.of("announced");
        }

        @Override
        public Set<String> sources() {
            return Set.of("announce");
        }

        @Override
        public Optional<PublishedEvent> publish(Event event) {
            return Optional.of(new PublishedEvent(
                    event.id(), "announced", "all", JsonMapper.shared().createObjectNode()));
        }

        @Override
        public Map<Subscriber, List<PublishedEvent>> readable(
                Reads reads, Map<Subscriber, List<PublishedEvent>> events) {
            asked++;
            return PublishedEvents.filtered(events, (subscriber, _) -> subscriber.user() != stranger.value());
        }
    }

    @Test
    void whatTheOwnersOfAllWebhooksMayReadIsAskedAtOnce() {
        var stranger = accounts.user("Stranger");
        var ann = accounts.user("Ann");
        var suspended = accounts.user("Suspended");
        accounts.suspend(suspended);
        var publisher = new Announcements(stranger);
        var catalog = new EventCatalog(List.of(publisher));
        var fanout = new WebhookFanout(
                new EventLog(),
                catalog,
                new WebhookRights(catalog, accounts.clock),
                accounts.lease.ids(),
                new WakeSignal());
        webhook(1, ann);
        webhook(2, ann);
        webhook(3, accounts.user("Bob"));
        webhook(4, stranger);
        webhook(5, suspended);
        var payload = JsonMapper.shared().createObjectNode().put("type", "announce");
        accounts.db.useTransaction(
                tx -> fanout.handle(tx, List.of(new Event(0, 21, payload), new Event(0, 22, payload))));
        assertThat(publisher.asked).isEqualTo(1);
        var queued = accounts.db.read(
                reads -> reads.query("SELECT webhook_id || ' ' || event_id FROM webhooks.deliveries ORDER BY 1")
                        .mapTo(String.class)
                        .list());
        assertThat(queued).containsExactly("1 21", "1 22", "2 21", "2 22", "3 21", "3 22");
    }
}
