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
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The inbox composed as in a server, called at its facades. */
final class HirobaInbox {

    private final Db db;
    private final AtomicLong events = new AtomicLong(1_000_000_000);
    private final ResourceMirror resources;
    private final Notifier notifier;
    final Inbox inbox;

    HirobaInbox(Db db) {
        this.db = db;
        var clock = Clock.systemUTC();
        var ids = new IdGenerator(clock, until -> new IdGenerator.Grant(1, 0, Long.MAX_VALUE >> 20));
        var namespaces = new Namespaces(ids, clock);
        resources = new ResourceMirror(ids);
        var silent = new Silent();
        notifier = new Notifier(ids, clock, namespaces, resources, silent);
        inbox = new Inbox(
                db,
                clock,
                silent,
                ZoneOffset.UTC,
                new ItemLists(db, namespaces, resources),
                new WakeSignal(),
                (reads, approvals) -> Map.of());
    }

    /** A unique number of a resource. */
    long nextResource() {
        return events.incrementAndGet();
    }

    /** Creates a notification for each of these users. */
    void notifyUsers(List<UserId> people) {
        var clock = Clock.systemUTC();
        db.useTransaction(tx -> {
            var snapshot = new ResourceSnapshot(
                    ConnectionId.API,
                    new NamespaceId(InboxData.NAMESPACE),
                    "event " + nextResource(),
                    "What is to be done",
                    "https://example.org/group/project/issues/1",
                    "opened",
                    clock.instant(),
                    new ResourceDetails.Issue(1L, "issue"));
            var issue = resources.upsert(tx, snapshot).resource();
            notifier.notifyUsers(
                    tx,
                    NotificationRequest.of(
                            issue, Action.ASSIGNED, NotificationAuthor.of(InboxData.busy()), clock.instant()),
                    people);
        });
    }

    private static final class Silent implements ItemListener {

        @Override
        public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {}
    }
}
