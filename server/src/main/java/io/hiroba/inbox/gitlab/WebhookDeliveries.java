package io.hiroba.inbox.gitlab;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores webhook deliveries, and shows their log to admins. */
public final class WebhookDeliveries {

    /**
     * The response to a webhook call.
     *
     * @param repeated whether it was received before
     */
    public record Receipt(DeliveryId id, boolean repeated) {}

    /** The number of deliveries of a kind of event in a state. */
    public record EventCount(String event, DeliveryState state, long count) {}

    /** A filter of the delivery log; null for all. */
    public record Filter(
            @Nullable DeliveryState state, @Nullable String event) {

        public static final Filter ALL = new Filter(null, null);
    }

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final WakeSignal signal;
    private final DeliveryMeters meters;
    private final DeliveryStore store = new DeliveryStore();

    public WebhookDeliveries(Db db, IdGenerator ids, InstantSource clock, WakeSignal signal, DeliveryMeters meters) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.signal = signal;
        this.meters = meters;
    }

    /**
     * Stores a call to be handled afterwards. When this returns it is durable.
     *
     * @param idempotencyKey the header of that name, if there is one
     * @param eventUuid the header X-Gitlab-Event-UUID, if there is one
     * @param hook the header X-Gitlab-Event, if there is one
     */
    public Receipt receive(
            ConnectionId connection,
            @Nullable String idempotencyKey,
            @Nullable String eventUuid,
            @Nullable String hook,
            byte[] body) {
        var event = WebhookPayload.eventKind(body, hook);
        var id = new DeliveryId(ids.next());
        var key = DeliveryKey.of(idempotencyKey, eventUuid, body).orElse("id " + id.hex());
        var inserted = db.read(reads -> store.insert(reads, id, connection, key, event, body, clock.instant()));
        meters.received(event, inserted.isEmpty());
        if (inserted.isPresent()) {
            signal.raise();
            return new Receipt(id, false);
        }
        // Missing only if it was just swept, and then it had been handled.
        return new Receipt(db.read(reads -> store.byKey(reads, connection, key)).orElse(id), true);
    }

    /** Lists the deliveries before {@code before}, the newest first. */
    public List<WebhookDelivery> list(
            Caller caller, ConnectionId connection, Filter filter, Optional<DeliveryId> before, int limit) {
        caller.requireAdmin();
        long bound = before.map(DeliveryId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, connection, filter, bound, limit));
    }

    public WebhookDelivery get(Caller caller, ConnectionId connection, DeliveryId id) {
        caller.requireAdmin();
        return db.read(reads -> store.find(reads, connection, id)).orElseThrow(InboxProblem::deliveryNotFound);
    }

    /** The payload as it was received. */
    public byte[] payload(Caller caller, ConnectionId connection, DeliveryId id) {
        caller.requireAdmin();
        return db.read(reads -> store.payload(reads, connection, id)).orElseThrow(InboxProblem::deliveryNotFound);
    }

    /** Counts deliveries by kind and state, including ignored kinds. */
    public List<EventCount> counts(Caller caller, ConnectionId connection) {
        caller.requireAdmin();
        return db.read(reads -> store.counts(reads, connection));
    }

    /** Handles a delivery again. Its effects are not repeated. */
    public WebhookDelivery retry(Caller caller, ConnectionId connection, DeliveryId id) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            var delivery = store.find(tx, connection, id).orElseThrow(InboxProblem::deliveryNotFound);
            if (delivery.state() == DeliveryState.WAITING || !store.requeue(tx, connection, id, clock.instant())) {
                throw InboxProblem.stillWaiting();
            }
            tx.afterCommit(signal::raise);
            return store.find(tx, connection, id).orElseThrow();
        });
    }
}
