package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.events.EventHandler;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
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
 * Notifies the owners of saved queries when a record begins to match: matches the changed records of a batch of events
 * in their current state, once per condition, and stores which of them match.
 */
final class SavedQueryNotifier implements EventHandler {

    public static final String CONSUMER = "saved-queries";

    static final String MATCHED = "record-matched";

    /** The number of records above which one event reports all of them together. */
    private static final int MAX_EVENTS = 100;

    /** The approximate number of records per statement. */
    private static final int BATCH_SIZE = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(SavedQueryNotifier.class);

    private final Projects projects;
    private final SchemaCatalog catalog;
    private final EventLog events;
    private final ConditionMatcher matching;
    private final CallerTraits traits;
    private final SavedQueryStore store = new SavedQueryStore();

    SavedQueryNotifier(
            Projects projects, SchemaCatalog catalog, ConditionMatcher matching, CallerTraits traits, EventLog events) {
        this.projects = projects;
        this.catalog = catalog;
        this.events = events;
        this.matching = matching;
        this.traits = traits;
    }

    @Override
    public void handle(Tx tx, List<Event> batch) {
        var changes = RecordChangeEvent.of(batch);
        if (changes.isEmpty()) {
            return;
        }
        var listening = store.watchedProjects(
                tx, changes.stream().map(RecordChangeEvent::project).distinct().toList());
        var bySchema = new LinkedHashMap<SchemaKey, List<RecordChangeEvent>>();
        for (var each : changes) {
            if (listening.contains(each.project().value())) {
                bySchema.computeIfAbsent(new SchemaKey(each.project(), each.schema()), any -> new ArrayList<>())
                        .add(each);
            }
        }
        bySchema.forEach((key, changed) -> match(tx, key, changed));
    }

    @Override
    public boolean isAffectedBy(String type) {
        return RecordChangeEvent.isType(type);
    }

    private record SchemaKey(ProjectId project, String schema) {}

    private void match(Tx tx, SchemaKey key, List<RecordChangeEvent> changes) {
        var project = projects.find(tx, key.project());
        if (project.isEmpty()) {
            return;
        }
        Schema schema;
        try {
            schema = catalog.current(tx, project.get().tables(), key.schema());
        } catch (RecordsProblem e) {
            return;
        }
        var savedQueries = store.notifying(tx, key.project(), schema.id());
        if (savedQueries.isEmpty()) {
            return;
        }
        // The author of each change; several imports may have ended at once.
        var changers = new LinkedHashMap<UUID, Set<UserId>>();
        for (var change : changes) {
            rows(tx, project.get().tables(), schema, change)
                    .forEach(row -> changers.computeIfAbsent(row, any -> new HashSet<>())
                            .add(change.by()));
            if (changers.size() >= BATCH_SIZE) {
                notifyOwners(tx, key, schema, savedQueries, changers);
                changers.clear();
            }
        }
        if (!changers.isEmpty()) {
            notifyOwners(tx, key, schema, savedQueries, changers);
        }
    }

    /** An import event covers a chunk of its file: a few thousand records at most. */
    private List<UUID> rows(Tx tx, ProjectTables tables, Schema schema, RecordChangeEvent change) {
        return change.isOne()
                ? List.of(change.first())
                : store.importedRows(tx, tables, schema.id(), change.by(), change.first(), change.last());
    }

    private void notifyOwners(
            Tx tx, SchemaKey key, Schema schema, List<SavedQuery> savedQueries, Map<UUID, Set<UserId>> changers) {
        for (var query : savedQueries) {
            projects.find(tx, key.project(), query.owner())
                    .ifPresent(access -> notifyOwner(tx, access, schema, query, changers));
        }
    }

    private void notifyOwner(
            Tx tx, ProjectAccess access, Schema schema, SavedQuery query, Map<UUID, Set<UserId>> changers) {
        var rows = changers.keySet();
        Set<UUID> matched;
        try {
            matched = matching.among(
                    tx, access, schema, query.definition().condition(traits.of(tx, query.owner())), rows);
        } catch (Problem e) {
            // An attribute does not exist any more, or is hidden from the owner: nothing matches.
            LOG.debug("The saved query {} cannot be asked: {}", query.id(), e.detail());
            matched = Set.of();
        }
        var lostMatches = new HashSet<>(store.knownMatches(tx, query.id(), rows));
        lostMatches.removeAll(matched);
        if (!lostMatches.isEmpty()) {
            store.removeMatches(tx, query.id(), lostMatches);
        }
        var newMatches = matched.isEmpty() ? Set.<UUID>of() : store.addMatches(tx, query.id(), matched);
        var notified = newMatches.stream()
                .filter(row -> changers.getOrDefault(row, Set.of()).stream().anyMatch(by -> !by.equals(query.owner())))
                .sorted()
                .toList();
        events.append(tx, newEvents(access, schema, query, notified));
    }

    private static List<NewEvent> newEvents(ProjectAccess access, Schema schema, SavedQuery query, List<UUID> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        if (rows.size() > MAX_EVENTS) {
            return List.of(event(access, schema, query, rows.getFirst()).with("count", rows.size()));
        }
        return rows.stream().map(row -> event(access, schema, query, row)).toList();
    }

    private static NewEvent event(ProjectAccess access, Schema schema, SavedQuery query, UUID row) {
        return NewEvent.of(query.owner().value(), MATCHED)
                .with("ownerId", query.owner().hex())
                .with("queryId", query.id().hex())
                .with("name", query.name())
                .with("projectId", access.project().id().hex())
                .with("schema", schema.name())
                .with("rowId", row.toString());
    }
}
