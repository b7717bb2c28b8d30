package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resolver;
import io.hiroba.inbox.items.ItemLists;
import io.hiroba.inbox.own.OwnEvents.Surroundings;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.People;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.Platform;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.http.Routes;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.stream.Stream;

/** The inbox, wired: what all of its parts share. */
final class InboxWiring {

    final Platform platform;
    final Users users;
    final InboxConfig config;
    final InboxItemsWiring items;
    final Namespaces namespaces;
    final Resources resources;
    final Notifier notifier;
    final Resolver resolver;
    final People people;
    final InboxPeopleWiring who;
    final InboxGitlabWiring gitlab;
    final InboxOwnWiring own;

    /**
     * Wires it.
     *
     * @param around what the inbox asks of other features
     * @param neighbours what its API asks of them
     */
    InboxWiring(
            Platform platform,
            Users users,
            InboxConfig config,
            Surroundings around,
            InboxNeighbours neighbours,
            MeterRegistry meters) {
        this.platform = platform;
        this.users = users;
        this.config = config;
        namespaces = new Namespaces(platform.ids());
        resources = new Resources(platform.ids());
        items = new InboxItemsWiring(platform, users, config, new ItemLists(platform.db(), namespaces, resources));
        notifier = new Notifier(platform.ids(), platform.clock(), namespaces, resources, items.listener());
        resolver = new Resolver(platform.clock(), items.listener());
        people = new People(platform.ids(), users, notifier::arrived);
        who = new InboxPeopleWiring(this, neighbours);
        gitlab = new InboxGitlabWiring(this, meters);
        own = new InboxOwnWiring(this, around);
    }

    /** Starts what works on the event log. */
    void consume(Events events) {
        own.consume(events);
    }

    /** What runs in the background, each to be closed. */
    List<AutoCloseable> background() {
        return Stream.of(items.live.background(), items.background(), who.background(), gitlab.background())
                .flatMap(List::stream)
                .toList();
    }

    List<Routes> routes() {
        return Stream.of(who.routes(), items.routes(), gitlab.routes(), own.routes())
                .flatMap(List::stream)
                .toList();
    }
}
