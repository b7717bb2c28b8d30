package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.inbox.items.InboxRoutes;
import io.hiroba.inbox.items.ItemLists;
import io.hiroba.inbox.items.Retention;
import io.hiroba.inbox.items.Waker;
import io.hiroba.inbox.items.Zones;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.WakeSignal;
import java.time.ZoneId;
import java.util.List;

/** What people do with their items, wired. */
final class InboxItemsWiring {

    final Platform platform;
    final Users users;
    final InboxConfig config;
    final InboxLiveWiring live;
    final WakeSignal snoozed = new WakeSignal();
    final Inbox inbox;

    InboxItemsWiring(Platform platform, Users users, InboxConfig config, ItemLists lists) {
        this.platform = platform;
        this.users = users;
        this.config = config;
        live = new InboxLiveWiring(platform, users);
        inbox = new Inbox(
                platform.db(), platform.clock(), listener(), new Zones(ZoneId.systemDefault()), lists, snoozed);
    }

    /** Whom to tell of every change to items. */
    ItemListener listener() {
        return live;
    }

    List<AutoCloseable> background() {
        return List.of(
                new Waker(platform.db(), platform.clock(), listener(), snoozed).start(),
                new Retention(platform.db(), platform.clock(), listener(), config.retention()).start());
    }

    List<Routes> routes() {
        return List.of(new InboxRoutes(inbox, platform.cursors()));
    }
}
