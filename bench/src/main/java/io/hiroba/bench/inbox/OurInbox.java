package io.hiroba.bench.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Made;
import io.hiroba.inbox.fanout.News;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.items.Inbox;
import io.hiroba.inbox.items.ItemLists;
import io.hiroba.inbox.items.Zones;
import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.inbox.resources.Told;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WakeSignal;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The inbox as a server has it, at its facades. */
final class OurInbox {

    private final Db db;
    private final AtomicLong events = new AtomicLong(1_000_000_000);
    private final Resources resources;
    private final Notifier notifier;
    final Inbox inbox;

    OurInbox(Db db) {
        this.db = db;
        var clock = Clock.systemUTC();
        var ids = new IdGenerator(clock, until -> new IdGenerator.Grant(1, 0, Long.MAX_VALUE >> 20));
        var namespaces = new Namespaces(ids);
        resources = new Resources(ids);
        var silent = new Silent();
        notifier = new Notifier(ids, clock, namespaces, resources, silent);
        inbox = new Inbox(
                db, clock, silent, new Zones(ZoneOffset.UTC), new ItemLists(db, namespaces, resources), new WakeSignal());
    }

    /** A number that no event had before. */
    long nextResource() {
        return events.incrementAndGet();
    }

    /** Something new happens that concerns all of these people. */
    void tell(List<UserId> people) {
        var clock = Clock.systemUTC();
        db.useTransaction(tx -> {
            var told = new Told(
                    ConnectionId.API,
                    new NamespaceId(Boxes.NAMESPACE),
                    "event " + nextResource(),
                    "What is to be done",
                    "https://example.org/group/project/issues/1",
                    "opened",
                    clock.instant(),
                    new Details.Issue(1L, "issue"));
            var issue = resources.mirror(tx, told).resource();
            notifier.tellUsers(tx, News.of(issue, Action.ASSIGNED, Author.of(Boxes.busy()), clock.instant()), people);
        });
    }

    private static final class Silent implements ItemListener {

        @Override
        public void made(Tx tx, News news, List<Made> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {}
    }
}
