package io.hiroba;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Made;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.inbox.items.ItemLists;
import io.hiroba.inbox.items.Zones;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.Signal;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;

/** What people do with their items, wired. */
final class InboxItemsWiring {

    final Platform platform;
    final Users users;
    final InboxConfig config;
    final Signal snoozed = new Signal();
    final Inbox inbox;

    InboxItemsWiring(Platform platform, Users users, InboxConfig config) {
        this.platform = platform;
        this.users = users;
        this.config = config;
        inbox = new Inbox(
                platform.db(),
                platform.clock(),
                listener(),
                new Zones(ZoneId.systemDefault()),
                new ItemLists(platform.db(), new Namespaces(platform.ids()), new Resources(platform.ids())),
                snoozed);
    }

    ItemListener listener() {
        return new ItemListener() {
            @Override
            public void made(Tx tx, News news, List<Made> items) {}

            @Override
            public void changed(Tx tx, Collection<UserId> changed) {}
        };
    }

    List<AutoCloseable> background() {
        return List.of();
    }

    List<Routes> routes() {
        return List.of();
    }
}
