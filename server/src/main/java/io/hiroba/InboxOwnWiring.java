package io.hiroba;

import io.hiroba.inbox.own.Ours;
import io.hiroba.inbox.own.OwnEvents;
import io.hiroba.inbox.own.OwnEvents.Surroundings;
import io.hiroba.inbox.settings.InboxSettings;
import io.hiroba.inbox.settings.InboxSettingsRoutes;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import java.util.List;

/** What comes from Hiroba itself and from other programs through the API, wired. */
final class InboxOwnWiring {

    final InboxWiring inbox;
    final Surroundings around;
    final InboxSettings settings;

    InboxOwnWiring(InboxWiring inbox, Surroundings around) {
        this.inbox = inbox;
        this.around = around;
        settings = new InboxSettings(inbox.platform.db(), inbox.namespaces);
    }

    void consume(Events events) {
        var ours = new Ours(inbox.namespaces, inbox.resources, inbox.notifier, inbox.resolver, inbox.items.listener());
        events.consume(
                OwnEvents.CONSUMER,
                new OwnEvents(ours, inbox.resources, inbox.people, inbox.who.members, inbox.users, around));
    }

    List<Routes> routes() {
        return List.of(new InboxSettingsRoutes(settings));
    }
}
