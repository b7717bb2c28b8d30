package io.hiroba.webhooks;

import io.hiroba.accounts.Admins;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents.Subscriber;
import java.util.List;
import java.util.Optional;

/** Decides which events the owner of a webhook may be told of at this moment. */
final class WebhookRights {

    private final EventCatalog catalog;
    private final Users users;
    private final Admins admins = new Admins();

    WebhookRights(EventCatalog catalog, Users users) {
        this.catalog = catalog;
        this.users = users;
    }

    /** Those that the webhook asks for and its owner may read. A suspended owner is told of nothing. */
    List<PublishedEvent> readable(Reads reads, OutgoingWebhook webhook, List<PublishedEvent> events) {
        var wanted = events.stream()
                .filter(event -> webhook.events().matches(event.type()))
                .toList();
        if (wanted.isEmpty() || users.isSuspended(reads, webhook.owner())) {
            return List.of();
        }
        boolean admin = webhook.asAdmin()
                && admins.among(reads, List.of(webhook.owner())).contains(webhook.owner());
        var subscriber = Optional.of(new Subscriber(webhook.owner().value(), admin));
        return catalog.readable(reads, wanted, scope -> subscriber);
    }
}
