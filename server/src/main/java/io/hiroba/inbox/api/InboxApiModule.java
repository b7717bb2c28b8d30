package io.hiroba.inbox.api;

import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxPorts;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import java.time.InstantSource;
import java.util.List;

/** Composes the API by which other programs mirror resources and notify people. */
public final class InboxApiModule implements FeatureModule {

    private final Platform platform;
    private final InstantSource clock;
    private final Users users;
    private final InboxPorts ports;
    private final Fanout fanout;

    public InboxApiModule(Platform platform, InstantSource clock, Users users, InboxPorts ports, Fanout fanout) {
        this.platform = platform;
        this.clock = clock;
        this.users = users;
        this.ports = ports;
        this.fanout = fanout;
    }

    @Override
    public List<Routes> routes() {
        var times = new ApiTimes(clock);
        var lookup = new ApiLookup(users, fanout.resources());
        var resources = new ApiResources(platform.db(), ports.operators(), fanout);
        var notifications = new ApiNotifications(platform.db(), ports.operators(), lookup, fanout);
        var marks = new MarkedItems(clock, ports.posts(), lookup, fanout);
        var namespaces = new NamespaceDirectory(platform.db(), ports.operators(), lookup, fanout);
        return List.of(
                new ResourceRoutes(resources, times),
                new NotificationApiRoutes(notifications, marks, times, platform.idempotency()),
                new NamespaceRoutes(namespaces, times, platform.cursors()));
    }
}
