package io.hiroba.inbox.events;

import io.hiroba.accounts.Admins;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.KnowledgeLookup;
import io.hiroba.inbox.InboxPorts.KnowledgeSource;
import io.hiroba.inbox.InboxPorts.Operators;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Notifies the owner of a source and the operators of chunks that could not be ingested, until none is left. */
final class KnowledgeEventHandler implements HirobaEvents.Handler {

    private static final String DEAD = "knowledge-dead";
    private static final String REVIVED = "knowledge-revived";

    private final HirobaResources resources;
    private final Operators operators;
    private final KnowledgeLookup sources;
    private final Admins admins = new Admins();

    KnowledgeEventHandler(HirobaResources resources, Operators operators, KnowledgeLookup sources) {
        this.resources = resources;
        this.operators = operators;
        this.sources = sources;
    }

    @Override
    public Set<String> types() {
        return Set.of(DEAD, REVIVED);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        for (var event : events) {
            var source = sources.find(tx, Ids.parse(id(event)));
            if (source.isEmpty()) {
                resources.delete(tx, ResourceType.KNOWLEDGE_SOURCE, id(event));
            } else if (event.type().equals(DEAD)) {
                resources.notify(
                        tx,
                        mirror(tx, event, source.get(), "failed"),
                        Action.KNOWLEDGE_FAILED,
                        NotificationAuthor.NOBODY,
                        readers(tx, source.get()),
                        HirobaResources.happenedAt(event));
            } else if (!source.get().failed()
                    && resources
                            .find(tx, ResourceType.KNOWLEDGE_SOURCE, id(event))
                            .isPresent()) {
                var resource = mirror(tx, event, source.get(), "opened");
                resources.autoResolve(tx, resource, Set.of(Action.KNOWLEDGE_FAILED), HirobaResources.happenedAt(event));
            }
        }
    }

    /** Its owner, and those of the operators who may read it. */
    private List<UserId> readers(Tx tx, KnowledgeSource source) {
        var all = operators.list(tx);
        var readers = new ArrayList<UserId>(source.isPublic() ? all : List.copyOf(admins.among(tx, all)));
        readers.add(source.owner());
        return readers;
    }

    private Resource mirror(Tx tx, Event event, KnowledgeSource source, String state) {
        return resources.mirror(
                tx,
                "hiroba/knowledge",
                id(event),
                source.title(),
                "/knowledge/sources/" + id(event),
                state,
                HirobaResources.happenedAt(event),
                new ResourceDetails.KnowledgeSource(Ids.parse(id(event))));
    }

    private static String id(Event event) {
        return event.payload().path("sourceId").asString("");
    }
}
