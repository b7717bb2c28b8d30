package io.hiroba;

import io.hiroba.inbox.people.AccessLoss;
import io.hiroba.inbox.people.Identities;
import io.hiroba.inbox.people.IdentityRoutes;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.people.WaitingRoom;
import io.hiroba.platform.http.Routes;
import java.util.List;
import java.util.stream.Stream;

/** Who is who in the inbox, wired. */
final class InboxPeopleWiring {

    final InboxWiring inbox;
    final Members members;
    final Identities identities;

    InboxPeopleWiring(InboxWiring inbox) {
        this.inbox = inbox;
        var platform = inbox.platform;
        members = new Members(platform.clock(), inbox.config.accessGrace());
        identities = new Identities(platform.db(), platform.ids(), inbox.users, inbox.people, platform.throttle());
    }

    List<AutoCloseable> background() {
        var platform = inbox.platform;
        var room = new WaitingRoom(platform.db(), platform.clock(), inbox.people, inbox.config.waiting());
        var loss = new AccessLoss(platform.db(), platform.clock(), inbox.items.listener());
        return Stream.concat(room.background().stream(), Stream.of(loss.background()))
                .toList();
    }

    List<Routes> routes() {
        return List.of(new IdentityRoutes(identities, inbox.platform.cursors()));
    }
}
