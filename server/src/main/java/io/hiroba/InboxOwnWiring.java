package io.hiroba;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.settings.InboxSettings;
import io.hiroba.inbox.settings.InboxSettingsRoutes;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import java.util.List;

/** What comes from Hiroba itself and from other programs through the API, wired. */
final class InboxOwnWiring {

    final InboxWiring inbox;
    final Operators operators;
    final InboxSettings settings;

    InboxOwnWiring(InboxWiring inbox, Operators operators) {
        this.inbox = inbox;
        this.operators = operators;
        settings = new InboxSettings(inbox.platform.db(), inbox.namespaces);
    }

    /** Who is told of what goes wrong in Hiroba itself. */
    @FunctionalInterface
    interface Operators {
        List<UserId> now(Reads reads);
    }

    void consume(Events events) {}

    List<AutoCloseable> background() {
        return List.of();
    }

    List<Routes> routes() {
        return List.of(new InboxSettingsRoutes(settings));
    }
}
