package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The calls of webhooks: taken in, and their log for admins. */
public final class Deliveries {

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final WakeSignal signal;
    private final DeliveryMeters meters;
    private final DeliveryStore store = new DeliveryStore();

    public Deliveries(Db db, IdGenerator ids, InstantSource clock, WakeSignal signal, DeliveryMeters meters) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.signal = signal;
        this.meters = meters;
    }

    /**
     * Keeps a call, to be handled afterwards. When this returns it is durable.
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
        var event = EventKind.of(body, hook);
        var id = new DeliveryId(ids.next());
        var key = DeliveryKey.of(idempotencyKey, eventUuid, body).orElse("id " + id.hex());
        var kept = db.read(reads -> store.insert(reads, id, connection, key, event, body, clock.instant()));
        meters.received(event, kept.isEmpty());
        if (kept.isPresent()) {
            signal.raise();
            return new Receipt(id, false);
        }
        // Gone only if it was swept in this moment; it had been handled then, too.
        return new Receipt(db.read(reads -> store.byKey(reads, connection, key)).orElse(id), true);
    }

    /** A page of the log, the newest first; {@code before} is the last one seen. */
    public List<Delivery> list(
            Caller caller, ConnectionId connection, DeliveryFilter filter, Optional<DeliveryId> before, int limit) {
        caller.requireAdmin();
        long bound = before.map(DeliveryId::value).orElse(Long.MAX_VALUE);
        return db.read(reads -> store.list(reads, connection, filter, bound, limit));
    }

    public Delivery get(Caller caller, ConnectionId connection, DeliveryId id) {
        caller.requireAdmin();
        return db.read(reads -> store.find(reads, connection, id)).orElseThrow(InboxProblem::deliveryNotFound);
    }

    /** What was sent, as it was sent. */
    public byte[] payload(Caller caller, ConnectionId connection, DeliveryId id) {
        caller.requireAdmin();
        return db.read(reads -> store.payload(reads, connection, id)).orElseThrow(InboxProblem::deliveryNotFound);
    }

    /** How many there are of each kind and state, also of kinds that mean nothing here. */
    public List<EventCount> counts(Caller caller, ConnectionId connection) {
        caller.requireAdmin();
        return db.read(reads -> store.counts(reads, connection));
    }

    /** Has a delivery handled again. What it brought about already is not brought about a second time. */
    public Delivery retry(Caller caller, ConnectionId connection, DeliveryId id) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            var delivery = store.find(tx, connection, id).orElseThrow(InboxProblem::deliveryNotFound);
            if (delivery.state() == DeliveryState.WAITING || !store.again(tx, connection, id, clock.instant())) {
                throw InboxProblem.stillWaiting();
            }
            tx.afterCommit(signal::raise);
            return store.find(tx, connection, id).orElseThrow();
        });
    }
}
