package io.hiroba.bench.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.Inbox;
import io.hiroba.inbox.ItemLists;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceSnapshot;
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
    private final ResourceMirror resources;
    private final Notifier notifier;
    final Inbox inbox;

    OurInbox(Db db) {
        this.db = db;
        var clock = Clock.systemUTC();
        var ids = new IdGenerator(clock, until -> new IdGenerator.Grant(1, 0, Long.MAX_VALUE >> 20));
        var namespaces = new Namespaces(ids);
        resources = new ResourceMirror(ids);
        var silent = new Silent();
        notifier = new Notifier(ids, clock, namespaces, resources, silent);
        inbox = new Inbox(
                db, clock, silent, ZoneOffset.UTC, new ItemLists(db, namespaces, resources), new WakeSignal());
    }

    /** A number that no event had before. */
    long nextResource() {
        return events.incrementAndGet();
    }

    /** Something new happens that concerns all of these people. */
    void tell(List<UserId> people) {
        var clock = Clock.systemUTC();
        db.useTransaction(tx -> {
            var told = new ResourceSnapshot(
                    ConnectionId.API,
                    new NamespaceId(Boxes.NAMESPACE),
                    "event " + nextResource(),
                    "What is to be done",
                    "https://example.org/group/project/issues/1",
                    "opened",
                    clock.instant(),
                    new ResourceDetails.Issue(1L, "issue"));
            var issue = resources.upsert(tx, told).resource();
            notifier.notifyUsers(
                    tx,
                    NotificationRequest.of(
                            issue, Action.ASSIGNED, NotificationAuthor.of(Boxes.busy()), clock.instant()),
                    people);
        });
    }

    private static final class Silent implements ItemListener {

        @Override
        public void created(Tx tx, NotificationRequest news, List<CreatedNotification> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {}
    }
}
