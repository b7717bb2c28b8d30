package io.hiroba.inbox;

import io.hiroba.accounts.TokenScope;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.events.PublishedEvent;
import io.hiroba.platform.events.PublishedEvents;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/** Inbox items as programs outside see them: each person their own. */
final class PublishedItemEvents implements PublishedEvents {

    private static final String CREATED = "inbox-item-created";

    /** By the types in the log; a trigger appends those of items that are done or restored. */
    private static final SequencedMap<String, String> TYPES = types(
            CREATED,
            "inbox.item.created",
            "inbox-item-done",
            "inbox.item.done",
            "inbox-item-restored",
            "inbox.item.restored");

    private static SequencedMap<String, String> types(String... pairs) {
        var types = new LinkedHashMap<String, String>();
        for (int i = 0; i < pairs.length; i += 2) {
            types.put(pairs[i], pairs[i + 1]);
        }
        return Collections.unmodifiableSequencedMap(types);
    }

    static NewEvent created(NotificationRequest request, CreatedNotification item) {
        var author = request.author().user();
        var url = request.resource().url();
        return NewEvent.of(item.user().value(), CREATED)
                .with("userId", item.user().hex())
                .with("itemId", item.id().hex())
                .with("action", request.action().text())
                .with("resourceType", request.resource().type().text())
                // Of these the outside is not told.
                .with("authorId", author == null ? "" : author.hex())
                .with("url", url == null ? "" : url);
    }

    @Override
    public String scope() {
        return TokenScope.INBOX_READ.code();
    }

    @Override
    public List<String> types() {
        return List.copyOf(TYPES.values());
    }

    @Override
    public Set<String> sources() {
        return TYPES.keySet();
    }

    @Override
    public Optional<PublishedEvent> publish(Event event) {
        var from = event.payload();
        var item = from.path("itemId").asString();
        var data = Json.mapper().createObjectNode();
        data.put("itemId", item);
        data.put("userId", from.path("userId").asString());
        if (event.type().equals(CREATED)) {
            data.put("action", from.path("action").asString());
            data.put("resourceType", from.path("resourceType").asString());
        }
        data.put("path", "/api/v1/inbox");
        return Optional.ofNullable(TYPES.get(event.type()))
                .map(type -> new PublishedEvent(event.id(), type, item, data));
    }

    @Override
    public Map<Subscriber, List<PublishedEvent>> readable(Reads reads, Map<Subscriber, List<PublishedEvent>> events) {
        return PublishedEvents.filtered(
                events,
                (subscriber, event) -> event.data().path("userId").asString().equals(Ids.hex(subscriber.user())));
    }
}
