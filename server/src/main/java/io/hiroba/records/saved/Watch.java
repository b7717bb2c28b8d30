package io.hiroba.records.saved;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Access;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Tables;
import io.hiroba.records.query.Matching;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the owners of saved queries when a record begins to match: looks at the records that a batch of events is about as
 * they are now, once for each question, and remembers which of them match.
 */
public final class Watch implements EventHandler {

    public static final String CONSUMER = "saved-queries";

    static final String MATCHED = "record-matched";

    /** Of more that begin to match at once, all are told of in one event. */
    private static final int MOST_SINGLE = 100;

    /** About so many records are looked at in one statement. */
    private static final int SLICE = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private final Projects projects;
    private final Catalog catalog;
    private final EventLog events;
    private final Matching matching;
    private final Traits traits;
    private final SavedQueryStore store = new SavedQueryStore();
    private final MatchStore matches = new MatchStore();

    public Watch(Projects projects, Catalog catalog, Matching matching, Users users, EventLog events) {
        this.projects = projects;
        this.catalog = catalog;
        this.events = events;
        this.matching = matching;
        this.traits = new Traits(users);
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var news = RecordNews.of(batch);
        var listening = matches.listening(
                tx, news.stream().map(RecordNews::project).distinct().toList());
        var byPlace = new LinkedHashMap<Place, List<RecordNews>>();
        for (var each : news) {
            if (listening.contains(each.project().value())) {
                byPlace.computeIfAbsent(new Place(each.project(), each.schema()), any -> new ArrayList<>())
                        .add(each);
            }
        }
        byPlace.forEach((place, changes) -> look(tx, place, changes));
    }

    private record Place(ProjectId project, String schema) {}

    private void look(Tx tx, Place place, List<RecordNews> changes) {
        var project = projects.find(tx, place.project());
        if (project.isEmpty()) {
            return;
        }
        Schema schema;
        try {
            schema = catalog.current(tx, project.get().tables(), place.schema());
        } catch (RecordsProblem e) {
            return;
        }
        var questions = store.notifying(tx, place.project(), schema.id());
        if (questions.isEmpty()) {
            return;
        }
        // Who changed each of the records; many imports may have ended at once, so not of all of them together.
        var changers = new LinkedHashMap<UUID, Set<UserId>>();
        for (var change : changes) {
            rows(tx, project.get().tables(), schema, change)
                    .forEach(row -> changers.computeIfAbsent(row, any -> new HashSet<>())
                            .add(change.by()));
            if (changers.size() >= SLICE) {
                tellAll(tx, place, schema, questions, changers);
                changers.clear();
            }
        }
        if (!changers.isEmpty()) {
            tellAll(tx, place, schema, questions, changers);
        }
    }

    /** What an import tells of at once is a chunk of its file: a few thousand at most. */
    private List<UUID> rows(Tx tx, Tables tables, Schema schema, RecordNews change) {
        return change.isOne()
                ? List.of(change.first())
                : matches.imported(tx, tables, schema.id(), change.by(), change.first(), change.last());
    }

    private void tellAll(
            Tx tx, Place place, Schema schema, List<SavedQuery> questions, Map<UUID, Set<UserId>> changers) {
        for (var question : questions) {
            projects.find(tx, place.project(), question.owner())
                    .ifPresent(access -> tell(tx, access, schema, question, changers));
        }
    }

    private void tell(Tx tx, Access access, Schema schema, SavedQuery question, Map<UUID, Set<UserId>> changers) {
        var rows = changers.keySet();
        Set<UUID> matched;
        try {
            matched = matching.among(
                    tx, access, schema, question.question().condition(traits.of(tx, question.owner())), rows);
        } catch (Problem e) {
            // What it asks for is not there any more, or not for its owner: nothing matches.
            LOG.debug("The saved query {} cannot be asked: {}", question.id(), e.detail());
            matched = Set.of();
        }
        var gone = new HashSet<>(matches.known(tx, question.id(), rows));
        gone.removeAll(matched);
        if (!gone.isEmpty()) {
            matches.forget(tx, question.id(), gone);
        }
        var begun = matched.isEmpty() ? Set.<UUID>of() : matches.remember(tx, question.id(), matched);
        var told = begun.stream()
                .filter(row ->
                        changers.getOrDefault(row, Set.of()).stream().anyMatch(by -> !by.equals(question.owner())))
                .sorted()
                .toList();
        events.append(tx, news(access, schema, question, told));
    }

    private static List<NewEvent> news(Access access, Schema schema, SavedQuery question, List<UUID> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        if (rows.size() > MOST_SINGLE) {
            return List.of(event(access, schema, question, rows.getFirst()).with("count", rows.size()));
        }
        return rows.stream().map(row -> event(access, schema, question, row)).toList();
    }

    private static NewEvent event(Access access, Schema schema, SavedQuery question, UUID row) {
        return NewEvent.of(question.owner().value(), MATCHED)
                .with("ownerId", question.owner().hex())
                .with("queryId", question.id().hex())
                .with("name", question.name())
                .with("projectId", access.project().id().hex())
                .with("schema", schema.name())
                .with("rowId", row.toString());
    }
}
