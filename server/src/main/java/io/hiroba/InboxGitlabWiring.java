package io.hiroba;

import io.hiroba.inbox.gitlab.connections.ConnectionRoutes;
import io.hiroba.inbox.gitlab.connections.Connections;
import io.hiroba.inbox.gitlab.deliveries.Deliveries;
import io.hiroba.inbox.gitlab.deliveries.DeliveryMeters;
import io.hiroba.inbox.gitlab.deliveries.DeliveryRoutes;
import io.hiroba.inbox.gitlab.deliveries.DeliveryWorker;
import io.hiroba.inbox.gitlab.deliveries.HookRoutes;
import io.hiroba.inbox.gitlab.handling.GitlabEvents;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.task.WakeSignal;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** What comes from GitLab, wired. */
final class InboxGitlabWiring {

    final Connections connections;
    final Deliveries deliveries;

    private final InboxWiring inbox;
    private final WakeSignal signal = new WakeSignal();
    private final DeliveryMeters meters;

    InboxGitlabWiring(InboxWiring inbox, MeterRegistry registry) {
        this.inbox = inbox;
        var platform = inbox.platform;
        meters = new DeliveryMeters(registry);
        connections = new Connections(
                platform.db(), platform.ids(), Site.of(platform.http()).url());
        deliveries = new Deliveries(platform.db(), platform.ids(), platform.clock(), signal, meters);
    }

    List<AutoCloseable> background() {
        var platform = inbox.platform;
        var events = new GitlabEvents(
                inbox.namespaces, inbox.resources, inbox.people, inbox.notifier, inbox.resolver, inbox.who.members);
        return List.of(
                new DeliveryWorker(platform.db(), platform.clock(), inbox.config, signal, events, meters).start());
    }

    List<Routes> routes() {
        var platform = inbox.platform;
        return List.of(
                new ConnectionRoutes(connections),
                new DeliveryRoutes(connections, deliveries, platform.cursors()),
                new HookRoutes(connections, deliveries));
    }
}
