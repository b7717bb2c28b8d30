package io.hiroba;

import io.hiroba.inbox.api.Lookup;
import io.hiroba.inbox.api.Marks;
import io.hiroba.inbox.api.NamespaceDirectory;
import io.hiroba.inbox.api.NamespaceRoutes;
import io.hiroba.inbox.api.NoticeRoutes;
import io.hiroba.inbox.api.Notices;
import io.hiroba.inbox.api.ResourceRoutes;
import io.hiroba.inbox.api.ResourceWriter;
import io.hiroba.inbox.api.Times;
import io.hiroba.inbox.keys.KeyReminders;
import io.hiroba.inbox.keys.KeyRoutes;
import io.hiroba.inbox.keys.SshKeys;
import io.hiroba.inbox.people.AccessLoss;
import io.hiroba.inbox.people.Identities;
import io.hiroba.inbox.people.IdentityRoutes;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.people.WaitingRoom;
import io.hiroba.platform.http.Routes;
import java.util.List;
import java.util.stream.Stream;

/** Who is who in the inbox, who may speak to whom, and people's keys, wired. */
final class InboxPeopleWiring {

    final InboxWiring inbox;
    final InboxNeighbours neighbours;
    final Members members;
    final Identities identities;
    final SshKeys keys;

    InboxPeopleWiring(InboxWiring inbox, InboxNeighbours neighbours) {
        this.inbox = inbox;
        this.neighbours = neighbours;
        var platform = inbox.platform;
        members = new Members(platform.clock(), inbox.config.accessGrace());
        identities = new Identities(
                platform.db(), platform.ids(), inbox.users, inbox.people, platform.throttle(), inbox.items.listener());
        keys = new SshKeys(
                platform.db(),
                platform.clock(),
                inbox.namespaces,
                inbox.resources,
                inbox.people,
                inbox.resolver,
                inbox.items.listener());
    }

    List<AutoCloseable> background() {
        var db = inbox.platform.db();
        var clock = inbox.platform.clock();
        var room = new WaitingRoom(db, clock, inbox.users, inbox.people, inbox.config.waiting());
        var loss = new AccessLoss(db, clock, inbox.items.listener());
        var reminders = new KeyReminders(
                db, clock, inbox.config.keyNotice(), inbox.resources, inbox.people, inbox.notifier, inbox.resolver);
        return Stream.concat(room.background().stream(), Stream.of(loss.background(), reminders.background()))
                .toList();
    }

    List<Routes> routes() {
        var platform = inbox.platform;
        var times = new Times(platform.clock());
        var lookup = new Lookup(inbox.users, inbox.resources);
        var writer = new ResourceWriter(
                platform.db(), neighbours, inbox.namespaces, inbox.resources, inbox.resolver, inbox.items.listener());
        var notices = new Notices(platform.db(), neighbours, lookup, inbox.people, inbox.notifier, inbox.resolver);
        var marks = new Marks(platform.clock(), neighbours, lookup, inbox.namespaces, inbox.resources, inbox.notifier);
        var directory =
                new NamespaceDirectory(platform.db(), neighbours, lookup, inbox.namespaces, inbox.people, members);
        return List.of(
                new IdentityRoutes(identities, platform.cursors()),
                new KeyRoutes(keys, platform.idempotency(), platform.clock()),
                new ResourceRoutes(writer, times),
                new NoticeRoutes(notices, marks, times, platform.idempotency()),
                new NamespaceRoutes(directory, times, platform.cursors()));
    }
}
