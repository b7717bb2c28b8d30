package io.hiroba.inbox.events;

import io.hiroba.accounts.Users;
import io.hiroba.inbox.InboxPorts;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import java.util.List;
import java.util.Set;

/** Consumes Hiroba's event log and hands each event to the handler of its type. Most types have none. */
public final class HirobaEvents implements EventHandler {

    /** Handles events of some types. */
    interface Handler {

        Set<String> types();

        /** The types that it is woken for; it gets the others with a later batch. */
        default Set<String> urgentTypes() {
            return types();
        }

        void handle(Tx tx, List<Event> events);
    }

    /** The name of the consumer, which its cursor is kept under. */
    public static final String CONSUMER = "inbox";

    private final List<Handler> handlers;

    public HirobaEvents(Users users, InboxPorts ports, Fanout fanout) {
        var resources = new HirobaResources(fanout);
        handlers = List.of(
                new SagaEventHandler(resources, ports.operators()),
                new ApprovalEventHandler(resources),
                new ScheduleEventHandler(resources, ports.operators()),
                new KnowledgeEventHandler(resources, ports.operators(), ports.knowledge()),
                new RecordEventHandler(resources, ports.records(), new RecordAssignments(resources, fanout, users)),
                new ProjectEventHandler(resources, fanout.people(), fanout.memberships()),
                new PostEventHandler(resources, ports.posts()),
                new MessageEventHandler(resources),
                new TokenEventHandler(resources),
                new BackupEventHandler(resources),
                new AccountEventHandler());
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        for (var handler : handlers) {
            var handled = batch.stream()
                    .filter(event -> handler.types().contains(event.type()))
                    .toList();
            if (!handled.isEmpty()) {
                handler.handle(tx, handled);
            }
        }
    }

    @Override
    public boolean isAffectedBy(String type) {
        return handlers.stream().anyMatch(handler -> handler.urgentTypes().contains(type));
    }
}
