package io.hiroba.inbox.fanout;

import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxConfig;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import java.time.InstantSource;
import java.util.List;

/** Composes the identities that people claim elsewhere, and the background work on memberships and pending items. */
public final class FanoutModule implements FeatureModule {

    private final Platform platform;
    private final InstantSource clock;
    private final Fanout fanout;
    private final ExternalIdentities identities;
    private final PendingItems pending;

    public FanoutModule(Platform platform, InstantSource clock, Users users, InboxConfig config, Fanout fanout) {
        this.platform = platform;
        this.clock = clock;
        this.fanout = fanout;
        identities = new ExternalIdentities(
                platform.db(), platform.ids(), users, fanout.people(), platform.throttle(), fanout.listener());
        pending = new PendingItems(platform.db(), clock, users, fanout.people(), config.waiting());
    }

    public ExternalIdentities identities() {
        return identities;
    }

    @Override
    public List<Routes> routes() {
        return List.of(new IdentityRoutes(identities, platform.cursors()));
    }

    @Override
    public void start(ResourceStack resources) {
        pending.start().forEach(resources::add);
        resources.add(new AccessRevocation(platform.db(), clock, fanout.listener()).start());
    }
}
