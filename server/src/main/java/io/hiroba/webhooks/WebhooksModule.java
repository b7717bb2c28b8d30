package io.hiroba.webhooks;

import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.util.List;

/** Composes events for programs outside: the feed and the webhooks. */
public final class WebhooksModule implements FeatureModule {

    private final Platform platform;
    private final EventFeed feed;

    /**
     * With the events that features publish.
     *
     * @param retention how long events are kept
     */
    public WebhooksModule(Platform platform, List<PublishedEvents> published, Duration retention) {
        this.platform = platform;
        var appended = new WakeSignal();
        platform.commits().listen(EventLog.TOPIC, keys -> appended.raise());
        feed = new EventFeed(
                platform.db(),
                platform.events(),
                new EventCatalog(published),
                platform.clock(),
                retention,
                appended);
    }

    @Override
    public List<Routes> routes() {
        return List.of(new EventFeedRoutes(feed, platform.streams()));
    }
}
