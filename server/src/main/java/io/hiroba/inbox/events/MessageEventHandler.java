package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.List;
import java.util.Set;

/** Notifies people of threads with unread messages, once for each until they have read it. It holds names and no message. */
final class MessageEventHandler implements HirobaEvents.Handler {

    private static final String MESSAGE = "message";
    private static final String READ = "messages-read";

    private final HirobaResources resources;

    MessageEventHandler(HirobaResources resources) {
        this.resources = resources;
    }

    @Override
    public Set<String> types() {
        return Set.of(MESSAGE, READ);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        for (var event : events) {
            var thread = event.payload().path("threadId").asString("");
            var user = UserId.parse(event.payload().path("userId").asString(""));
            var at = HirobaResources.happenedAt(event);
            if (event.type().equals(READ)) {
                resources
                        .find(tx, ResourceType.NOTE, externalId(thread))
                        .ifPresent(resource -> resources.resolve(tx, resource, Action.MESSAGED, List.of(user), at));
            } else if (!event.payload().path("recipientKind").asString("").equals("agent")) {
                var recipient = UserId.parse(event.payload().path("recipientId").asString(""));
                var resource = resources.mirror(
                        tx,
                        "hiroba/messages",
                        externalId(thread),
                        event.payload().path("title").asString(""),
                        "/messages/" + thread,
                        "opened",
                        at,
                        new ResourceDetails.Note(null));
                resources.notify(tx, resource, Action.MESSAGED, resources.author(tx, user), List.of(recipient), at);
            }
        }
    }

    private static String externalId(String thread) {
        return "message-thread:" + thread;
    }
}
