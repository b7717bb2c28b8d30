package io.hiroba.webhooks;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.webhooks.DeliveryQueueStore.NewDelivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Queues the events of the log for the webhooks that ask for them and whose owners may read them, in the transaction that
 * advances the consumer's cursor: each event once. Replays queue earlier ones the same way.
 */
final class WebhookFanout implements EventHandler {

    static final String CONSUMER = "webhooks";

    private final EventLog log;
    private final EventCatalog catalog;
    private final WebhookRights rights;
    private final IdGenerator ids;
    private final WakeSignal queued;
    private final WebhookStore webhooks = new WebhookStore();
    private final DeliveryQueueStore queues = new DeliveryQueueStore();

    /** The filters of enabled webhooks a while ago: they only decide whether the consumer is woken at once. */
    private volatile List<EventFilter> filters = List.of();

    /** @param queued is raised when there are deliveries to make */
    WebhookFanout(EventLog log, EventCatalog catalog, WebhookRights rights, IdGenerator ids, WakeSignal queued) {
        this.log = log;
        this.catalog = catalog;
        this.rights = rights;
        this.ids = ids;
        this.queued = queued;
    }

    void wakeFor(List<EventFilter> wanted) {
        filters = List.copyOf(wanted);
    }

    @Override
    public boolean isAffectedBy(String type) {
        return catalog.isWanted(type, filters);
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var published = published(batch);
        if (published.isEmpty()) {
            return;
        }
        var wanted = new HashMap<OutgoingWebhook, List<PublishedEvent>>();
        for (var webhook : webhooks.lockEnabled(tx)) {
            var own = published.stream()
                    .filter(event -> event.id() > webhook.startsAfter()
                            && webhook.events().matches(event))
                    .toList();
            if (!own.isEmpty()) {
                wanted.put(webhook, own);
            }
        }
        queue(tx, wanted);
    }

    private List<PublishedEvent> published(List<Event> events) {
        return events.stream().flatMap(event -> catalog.publish(event).stream()).toList();
    }

    private void queue(Tx tx, Map<OutgoingWebhook, List<PublishedEvent>> wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        var deliveries = new ArrayList<NewDelivery>();
        rights.readable(tx, wanted)
                .forEach((webhook, events) -> events.forEach(event -> deliveries.add(new NewDelivery(
                        ids.next(), webhook.id(), event.id(), event.type(), event.key(), event.key()))));
        add(tx, deliveries);
    }

    void add(Tx tx, List<NewDelivery> deliveries) {
        if (!deliveries.isEmpty()) {
            queues.add(tx, deliveries);
            tx.afterCommit(queued::raise);
        }
    }

    /** Queues a part of a replay; false if there is none that no other node works on. */
    boolean replaySome(Tx tx) {
        var claimed = webhooks.claimReplay(tx);
        claimed.ifPresent(replay -> {
            var page = log.read(tx, replay.after(), catalog.sources(), EventFeed.MAX_SCANNED);
            var events = published(page.events()).stream()
                    .filter(event -> event.id() <= replay.until()
                            && replay.webhook().events().matches(event))
                    .toList();
            queue(tx, Map.of(replay.webhook(), events));
            boolean over = !page.more() || page.position() >= replay.until();
            webhooks.replay(tx, replay.webhook().id(), over ? null : page.position(), over ? null : replay.until());
        });
        return claimed.isPresent();
    }
}
