package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.RateLimiter;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.WakeSignal;
import java.time.InstantSource;
import java.util.List;

/** Composes the GitLab integration: connections, their webhook deliveries, and the handling of events. */
public final class GitlabModule implements FeatureModule {

    private final Platform platform;
    private final InstantSource clock;
    private final InboxConfig config;
    private final Fanout fanout;
    private final WakeSignal received = new WakeSignal();
    private final DeliveryMeters meters;
    private final Connections connections;
    private final WebhookDeliveries deliveries;
    private final RateLimiter limiter;

    public GitlabModule(Platform platform, InstantSource clock, InboxConfig config, Fanout fanout) {
        this.platform = platform;
        this.clock = clock;
        this.config = config;
        this.fanout = fanout;
        int calls = config.webhooksPerMinute();
        limiter = new RateLimiter(new HttpConfig.RateLimit(true, calls, calls), platform.clock());
        meters = new DeliveryMeters(platform.meters());
        connections = new Connections(platform.db(), platform.ids(), platform.http());
        deliveries = new WebhookDeliveries(platform.db(), platform.ids(), clock, received, meters);
    }

    public Connections connections() {
        return connections;
    }

    public WebhookDeliveries deliveries() {
        return deliveries;
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new ConnectionRoutes(connections),
                new DeliveryRoutes(connections, deliveries, platform.cursors()),
                new WebhookRoutes(connections, deliveries, limiter, platform.addresses()));
    }

    @Override
    public List<String> crossSitePaths() {
        return List.of(Connections.HOOKS);
    }

    @Override
    public void start(ResourceStack resources) {
        var events = new GitlabEvents(fanout);
        resources.add(new DeliveryWorker(platform.db(), clock, config, received, events, meters).start());
    }
}
