package io.hiroba.webhooks;

import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.NewMail;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.trace.TraceSpan;
import io.hiroba.platform.trace.Tracing;
import io.hiroba.webhooks.DeliveryQueueStore.AttemptResult;
import io.hiroba.webhooks.DeliveryQueueStore.ClaimedQueue;
import io.hiroba.webhooks.EventFeedRoutes.EventView;
import io.hiroba.webhooks.OutgoingDelivery.Failure;
import io.hiroba.webhooks.OutgoingDelivery.Status;
import io.hiroba.webhooks.OutgoingWebhook.DisabledBy;
import io.hiroba.webhooks.WebhookSender.SendResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes deliveries: claims a queue, sends its first delivery outside any transaction and records the outcome, if the claim is
 * still its own. A node that dies in between leaves a claim that ends, and the delivery is made again, under the same id.
 */
final class WebhookWorker {

    private static final Logger log = LoggerFactory.getLogger(WebhookWorker.class);
    private static final int WORKERS = 8;

    /** Deliveries to one webhook that this node makes at once: one that hangs leaves workers for the others. */
    private static final int MAX_PER_WEBHOOK = 3;

    private static final int BACKOFF_FACTOR = 4;

    /** From then on, one that has not delivered anything may not have too much waiting. */
    private static final Duration BACKLOG_AFTER = Duration.ofHours(1);

    /** The parts that deliveries take. */
    record Parts(
            Db db,
            InstantSource clock,
            EventLog log,
            EventCatalog catalog,
            WebhookRights rights,
            WebhookSecrets secrets,
            Users users,
            Mailer mailer,
            Site site,
            MeterRegistry meters,
            Tracing tracing) {}

    private final Parts parts;
    private final WebhookSender sender;
    private final WebhooksConfig config;
    private final WakeSignal due;
    private final Runnable changed;
    private final WebhookStore webhooks = new WebhookStore();
    private final DeliveryQueueStore queues = new DeliveryQueueStore();
    private final ReentrantLock claiming = new ReentrantLock();
    private final Map<Long, Integer> running = new HashMap<>();

    /** The webhooks take turns. */
    private long lastClaimed = -1;

    /**
     * Composes it.
     *
     * @param due is raised when deliveries may be due
     * @param changed is run after a webhook was disabled
     */
    WebhookWorker(Parts parts, WebhookSender sender, WebhooksConfig config, WakeSignal due, Runnable changed) {
        this.parts = parts;
        this.sender = sender;
        this.config = config;
        this.due = due;
        this.changed = changed;
    }

    WorkLoop start() {
        return WorkLoop.whenSignalled("webhook deliveries", WORKERS, due, WorkLoop.FALLBACK_POLL, this::deliverOne);
    }

    /** False if no queue is due. */
    boolean deliverOne() {
        var claimed = claim();
        claimed.ifPresent(claim -> {
            try {
                deliver(claim);
            } finally {
                release(claim.webhook());
            }
        });
        if (claimed.isEmpty()) {
            // The signal knows nothing of a queue that another node left.
            parts.db().read(queues::nextDueIn).ifPresent(wait -> due.raiseIn(wait.plusMillis(1)));
        }
        return claimed.isPresent();
    }

    private Optional<ClaimedQueue> claim() {
        claiming.lock();
        try {
            var busy = running.entrySet().stream()
                    .filter(entry -> entry.getValue() >= MAX_PER_WEBHOOK)
                    .map(Map.Entry::getKey)
                    .toList();
            // Longer than an attempt can take: until it ends, no other node makes the delivery.
            var lease = config.timeout().multipliedBy(2).plusSeconds(20);
            var claimed = parts.db().inTransaction(tx -> {
                var next = queues.claim(tx, lastClaimed, busy, lease);
                return next.isPresent() || lastClaimed < 0 ? next : queues.claim(tx, -1, busy, lease);
            });
            claimed.ifPresent(claim -> running.merge(claim.webhook(), 1, Integer::sum));
            lastClaimed = claimed.map(ClaimedQueue::webhook).orElse(-1L);
            return claimed;
        } finally {
            claiming.unlock();
        }
    }

    private void release(long webhook) {
        claiming.lock();
        try {
            running.computeIfPresent(webhook, (id, count) -> count == 1 ? null : count - 1);
        } finally {
            claiming.unlock();
        }
    }

    /** A delivery that may be made: to whom, with which body and keys, and the span in which its event was appended. */
    private record Prepared(
            OutgoingDelivery delivery,
            OutgoingWebhook webhook,
            @Nullable String body,
            List<byte[]> keys,
            @Nullable Failure refused,
            @Nullable String traceparent) {

        /** One that is not sent. */
        Prepared(OutgoingDelivery delivery, OutgoingWebhook webhook, List<byte[]> keys, Failure refused) {
            this(delivery, webhook, null, keys, refused, null);
        }
    }

    private void deliver(ClaimedQueue claim) {
        var prepared = parts.db().read(reads -> prepare(reads, claim));
        if (prepared.isEmpty()) {
            parts.db().useTransaction(tx -> finish(tx, claim));
            return;
        }
        var each = prepared.get();
        var body = each.body();
        if (body == null) {
            var refused = each.refused();
            var why = refused == null ? Failure.NOT_READABLE : refused;
            var skipped = AttemptResult.skipped(why);
            record(claim, each, why == Failure.DISABLED ? skipped.withStatus(Status.FAILED) : skipped, Duration.ZERO);
            return;
        }
        parts.tracing()
                .resume(each.traceparent(), "webhook " + each.delivery().type(), TraceSpan.Kind.CLIENT)
                .run(() -> send(claim, each, body));
    }

    private void send(ClaimedQueue claim, Prepared each, String body) {
        var sent = sender.send(each.webhook().url(), Ids.hex(each.delivery().event()), body, each.keys());
        var failure = sent.failure();
        Counter.builder("hiroba.webhooks.attempts")
                .description("Deliveries to webhooks that this node attempted")
                .tag("outcome", failure == null ? "delivered" : failure.code())
                .register(parts.meters())
                .increment();
        if (failure != null) {
            TraceSpan.current().fail(failure.code());
        }
        var delay = delay(each.delivery(), sent);
        var result = new AttemptResult(
                status(each.delivery(), sent, delay), sent.status(), sent.tookMillis(), body, sent.response(), failure);
        record(claim, each, result, delay);
    }

    /** Empty if nothing waits in the queue. */
    private Optional<Prepared> prepare(Reads reads, ClaimedQueue claim) {
        var delivery = queues.first(reads, claim);
        var webhook = webhooks.find(reads, claim.webhook());
        if (delivery.isEmpty() || webhook.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(prepare(reads, delivery.get(), webhook.get()));
    }

    private Prepared prepare(Reads reads, OutgoingDelivery delivery, OutgoingWebhook webhook) {
        if (!webhook.isActive()) {
            return new Prepared(delivery, webhook, List.of(), Failure.DISABLED);
        }
        var keys = parts.secrets().keys(reads, webhook.id());
        if (delivery.type().equals(OutgoingDelivery.PING)) {
            return new Prepared(delivery, webhook, ping(delivery), keys, null, null);
        }
        var logged = parts.log().find(reads, delivery.event());
        var event = logged.flatMap(parts.catalog()::publish);
        if (event.isEmpty()) {
            return new Prepared(delivery, webhook, keys, Failure.EVENT_GONE);
        }
        var body = event.filter(webhook.events()::matches)
                .map(wanted -> parts.rights().readable(reads, Map.of(webhook, List.of(wanted))))
                .flatMap(readable ->
                        readable.getOrDefault(webhook, List.of()).stream().findFirst())
                .map(readable -> Json.text(EventView.of(readable)))
                .orElse(null);
        var traceparent = logged.get().traceparent();
        return new Prepared(delivery, webhook, body, keys, null, traceparent);
    }

    private static String ping(OutgoingDelivery delivery) {
        var data = Json.mapper().createObjectNode().put("webhookId", Ids.hex(delivery.webhook()));
        return Json.text(
                new EventView(Ids.hex(delivery.event()), delivery.type(), delivery.createdAt(), delivery.key(), data));
    }

    private Duration delay(OutgoingDelivery delivery, SendResult sent) {
        double factor = Math.pow(BACKOFF_FACTOR, delivery.attempts())
                * ThreadLocalRandom.current().nextDouble(0.9, 1.1);
        double millis = Math.min(
                (double) WebhookSender.MAX_DELAY.toMillis(), config.retryDelay().toNanos() / 1e6 * factor);
        var backoff = Duration.ofMillis(Math.round(millis));
        return sent.retryAfter().compareTo(backoff) > 0 ? sent.retryAfter() : backoff;
    }

    private Status status(OutgoingDelivery delivery, SendResult sent, Duration delay) {
        if (sent.failure() == null) {
            return Status.DELIVERED;
        }
        var end = delivery.createdAt().plus(config.giveUpAfter());
        boolean over = delivery.type().equals(OutgoingDelivery.PING)
                || parts.clock().instant().plus(delay).isAfter(end);
        return over ? Status.FAILED : Status.PENDING;
    }

    private void record(ClaimedQueue claim, Prepared prepared, AttemptResult result, Duration delay) {
        boolean disabled = parts.db().inTransaction(tx -> {
            if (!queues.lock(tx, claim)) {
                log.info("A delivery took longer than its claim; another node makes it again");
                return false;
            }
            queues.record(tx, prepared.delivery().id(), result);
            if (result.status() == Status.PENDING) {
                queues.retryIn(tx, claim, delay);
            } else {
                finish(tx, claim);
            }
            return noteHealth(tx, prepared.webhook(), result);
        });
        if (result.status() == Status.PENDING) {
            due.raiseIn(delay);
        }
        if (disabled) {
            changed.run();
        }
    }

    /** Goes on with the next delivery of the queue, or ends it. In statements of their own, which see what was added meanwhile. */
    private void finish(Tx tx, ClaimedQueue claim) {
        if (!queues.lock(tx, claim)) {
            return;
        }
        if (queues.first(tx, claim).isPresent()) {
            queues.retryIn(tx, claim, Duration.ZERO);
        } else {
            queues.end(tx, claim);
        }
    }

    /** True if the webhook was disabled by this. */
    private boolean noteHealth(Tx tx, OutgoingWebhook webhook, AttemptResult result) {
        if (result.status() == Status.DELIVERED) {
            webhooks.succeeded(tx, webhook.id());
            return false;
        }
        if (result.request() == null) {
            return false;
        }
        var failingFor = webhooks.failed(tx, webhook.id());
        boolean failing = failingFor.compareTo(config.disableAfter()) > 0
                || (failingFor.compareTo(BACKLOG_AFTER) > 0 && queues.exceeds(tx, webhook.id(), config.maxPending()));
        var status = result.httpStatus();
        if (status != null && status == 410) {
            return disable(tx, webhook, DisabledBy.GONE);
        }
        return failing && disable(tx, webhook, DisabledBy.FAILING);
    }

    private boolean disable(Tx tx, OutgoingWebhook webhook, DisabledBy by) {
        if (!webhooks.disable(tx, webhook.id(), by)) {
            return false;
        }
        log.info("Webhook {} is disabled: {}", Ids.hex(webhook.id()), by.code());
        parts.users().find(tx, webhook.owner()).ifPresent(profile -> {
            var language = parts.users().language(tx, webhook.owner());
            var link = parts.site().link("/settings/webhooks/" + Ids.hex(webhook.id()));
            var text = Text.of("webhooks.mail." + by.code(), "url", webhook.url(), "link", link);
            parts.mailer()
                    .sendWithoutFail(
                            tx,
                            new NewMail(
                                    profile.user().email().value(),
                                    Text.of("webhooks.mail.subject").in(language),
                                    text.in(language)));
        });
        return true;
    }
}
