package io.hiroba.bench.chaos.saga;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxPorts;
import io.hiroba.inbox.events.HirobaEvents;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.EventsConfig;
import io.hiroba.platform.id.IdGenerator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The inbox on a node, as far as approvals make items in it. */
final class ChaosInbox implements EventHandler {

    /** The name of the consumer. */
    static final String CONSUMER = HirobaEvents.CONSUMER;

    private static final EventsConfig CONFIG =
            new EventsConfig(2, 1000, Duration.ofMillis(500), Duration.ofSeconds(4), Duration.ofDays(90));

    private final HirobaEvents handler;

    private ChaosInbox(HirobaEvents handler) {
        this.handler = handler;
    }

    /** Starts handling the events of approvals. */
    static void open(Db db, IdGenerator ids, CommitSignal commits) {
        var clock = Clock.systemUTC();
        var events = new Events(db, CONFIG, clock, new SimpleMeterRegistry(), commits);
        var users = new Users(db, ids, clock, events.log());
        var fanout = new Fanout(ids, clock, users, Duration.ofDays(1), new Silent());
        var ports = new InboxPorts(
                unused(InboxPorts.Operators.class),
                unused(InboxPorts.PostLookup.class),
                unused(InboxPorts.KnowledgeLookup.class),
                unused(InboxPorts.RecordLookup.class),
                unused(InboxPorts.ApprovalDecisions.class));
        events.consume(CONSUMER, new ChaosInbox(new HirobaEvents(users, ports, fanout)));
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        handler.handle(
                tx, batch.stream().filter(event -> isAffectedBy(event.type())).toList());
    }

    @Override
    public boolean isAffectedBy(String type) {
        return type.startsWith("approval-");
    }

    /** A port that the events of approvals have no use for. */
    private static <T> T unused(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (self, method, args) -> {
            throw new IllegalStateException("the events of approvals have no use for " + method.getName());
        }));
    }

    /** Tells nobody: there are no pages and no mails. */
    private static final class Silent implements ItemListener {

        @Override
        public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {}
    }
}
