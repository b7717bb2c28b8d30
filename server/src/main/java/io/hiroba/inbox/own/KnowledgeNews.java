package io.hiroba.inbox.own;

import io.hiroba.accounts.Admins;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.own.KnownSources.KnownSource;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Tells the owner of a source and the operators of chunks that could not be taken in, until none is left. */
final class KnowledgeNews implements EventSubject {

    private static final String DEAD = "knowledge-dead";
    private static final String REVIVED = "knowledge-revived";

    private final Ours ours;
    private final Function<Reads, List<UserId>> operators;
    private final KnownSources sources;
    private final Admins admins = new Admins();

    KnowledgeNews(Ours ours, Function<Reads, List<UserId>> operators, KnownSources sources) {
        this.ours = ours;
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
                ours.delete(tx, ResourceType.KNOWLEDGE_SOURCE, id(event));
            } else if (event.type().equals(DEAD)) {
                ours.tell(
                        tx,
                        mirror(tx, event, source.get(), "failed"),
                        Action.KNOWLEDGE_FAILED,
                        Author.NOBODY,
                        readers(tx, source.get()),
                        Ours.moment(event));
            } else if (!source.get().failed()
                    && ours.find(tx, ResourceType.KNOWLEDGE_SOURCE, id(event)).isPresent()) {
                var resource = mirror(tx, event, source.get(), "opened");
                ours.moot(tx, resource, Set.of(Action.KNOWLEDGE_FAILED), Ours.moment(event));
            }
        }
    }

    /** Its owner, and those of the operators who may read it. */
    private List<UserId> readers(Tx tx, KnownSource source) {
        var all = operators.apply(tx);
        var readers = new ArrayList<UserId>(source.isPublic() ? all : List.copyOf(admins.among(tx, all)));
        readers.add(source.owner());
        return readers;
    }

    private Resource mirror(Tx tx, Event event, KnownSource source, String state) {
        return ours.mirror(
                tx,
                "hiroba/knowledge",
                id(event),
                source.title(),
                "/knowledge/sources/" + id(event),
                state,
                Ours.moment(event),
                new Details.KnowledgeSource(Ids.parse(id(event))));
    }

    private static String id(Event event) {
        return event.payload().path("sourceId").asString("");
    }
}
