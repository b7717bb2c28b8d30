package io.hiroba.webhooks;

import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.Admins;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents.Subscriber;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Decides which events the owner of a webhook may be told of at this moment. */
final class WebhookRights {

    private final EventCatalog catalog;
    private final InstantSource clock;
    private final AccountLookup accounts = new AccountLookup();
    private final Admins admins = new Admins();

    WebhookRights(EventCatalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    /**
     * Those of the events of each webhook that its owner may read, asked for all owners at once. A suspended one is told of
     * nothing.
     */
    Map<OutgoingWebhook, List<PublishedEvent>> readable(
            Reads reads, Map<OutgoingWebhook, List<PublishedEvent>> events) {
        var subscribers = subscribers(reads, events.keySet());
        var wanted = new HashMap<Subscriber, SortedMap<Long, PublishedEvent>>();
        subscribers.forEach((webhook, subscriber) -> events.getOrDefault(webhook, List.of())
                .forEach(event ->
                        wanted.computeIfAbsent(subscriber, _ -> new TreeMap<>()).put(event.id(), event)));
        var lists = new HashMap<Subscriber, List<PublishedEvent>>();
        wanted.forEach((subscriber, all) -> lists.put(subscriber, List.copyOf(all.values())));
        var ids = new HashMap<Subscriber, Set<Long>>();
        catalog.readable(reads, lists)
                .forEach((subscriber, all) ->
                        ids.put(subscriber, all.stream().map(PublishedEvent::id).collect(Collectors.toSet())));
        var readable = new HashMap<OutgoingWebhook, List<PublishedEvent>>();
        subscribers.forEach((webhook, subscriber) -> readable.put(
                webhook,
                events.getOrDefault(webhook, List.of()).stream()
                        .filter(event -> ids.getOrDefault(subscriber, Set.of()).contains(event.id()))
                        .toList()));
        return readable;
    }

    private Map<OutgoingWebhook, Subscriber> subscribers(Reads reads, Collection<OutgoingWebhook> webhooks) {
        var owners = webhooks.stream().map(OutgoingWebhook::owner).distinct().toList();
        var active = Set.copyOf(accounts.active(reads, owners, clock.instant()));
        var asAdmins = webhooks.stream()
                .filter(OutgoingWebhook::asAdmin)
                .map(OutgoingWebhook::owner)
                .distinct()
                .toList();
        var current = asAdmins.isEmpty() ? Set.<UserId>of() : admins.among(reads, asAdmins);
        return webhooks.stream()
                .filter(webhook -> active.contains(webhook.owner()))
                .collect(Collectors.toMap(
                        Function.identity(),
                        webhook -> new Subscriber(
                                webhook.owner().value(), webhook.asAdmin() && current.contains(webhook.owner()))));
    }
}
