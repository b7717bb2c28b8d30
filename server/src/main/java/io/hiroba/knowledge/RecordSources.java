package io.hiroba.knowledge;

import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WakeSignal;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Notes from the event log which records are to be sources: those of schemas that were chosen, and those that changed since. The sources
 * are written by {@link RecordSourceWorker}: an import is one event for some hundred records.
 */
final class RecordSources implements EventHandler {

    static final String NAME = "record-knowledge";

    private static final String CHOSEN = "record-texts-chosen";
    private static final String CHANGED = "record-texts-changed";
    private static final String RESHAPED = "record-texts-reshaped";
    private static final String ENDED = "record-texts-ended";

    /** The event types of the records feature. */
    private static final Set<String> CHANGES = Set.of(CHOSEN, CHANGED, RESHAPED, ENDED);

    private final ProjectRecords records;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final WakeSignal changed;
    private final RecordSourceStore store = new RecordSourceStore();

    /** @param changed raised when there are records to look at */
    RecordSources(ProjectRecords records, IdGenerator ids, InstantSource clock, WakeSignal changed) {
        this.records = records;
        this.ids = ids;
        this.clock = clock;
        this.changed = changed;
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var events =
                batch.stream().filter(event -> CHANGES.contains(event.type())).toList();
        events.forEach(event -> handle(tx, event));
        if (!events.isEmpty()) {
            tx.afterCommit(changed::raise);
        }
    }

    private void handle(Tx tx, Event event) {
        long texts = Ids.parse(event.payload().path("textsId").asString(""));
        switch (event.type()) {
            case CHOSEN ->
                records.name(tx, texts)
                        .ifPresent(
                                name -> store.insert(tx, texts, new CollectionId(ids.next()), name, clock.instant()));
            case RESHAPED -> records.name(tx, texts).ifPresent(name -> store.walkAgain(tx, texts, name));
            case CHANGED ->
                store.addChanged(
                        tx,
                        texts,
                        event.payload()
                                .path("rows")
                                .valueStream()
                                .map(row -> UUID.fromString(row.asString()))
                                .toList());
            default -> store.end(tx, texts);
        }
    }

    @Override
    public boolean isAffectedBy(String type) {
        return CHANGES.contains(type);
    }
}
