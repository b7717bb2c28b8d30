package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxPorts.RecordInfo;
import io.hiroba.inbox.InboxPorts.RecordLookup;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Notifies users of records that are assigned to them or matched by their saved queries. */
final class RecordEventHandler implements HirobaEvents.Handler {

    private static final String CREATED = "record-created";
    private static final String CHANGED = "record-changed";
    private static final String DELETED = "record-deleted";
    private static final String MATCHED = "record-matched";
    private static final String SCHEMA_RENAMED = "schema-renamed";

    private final HirobaResources resources;
    private final RecordLookup records;
    private final RecordAssignments assignments;

    RecordEventHandler(HirobaResources resources, RecordLookup records, RecordAssignments assignments) {
        this.resources = resources;
        this.records = records;
        this.assignments = assignments;
    }

    @Override
    public Set<String> types() {
        return Set.of(CREATED, CHANGED, DELETED, MATCHED, SCHEMA_RENAMED);
    }

    private record Kind(long project, String schema) {}

    /** What came before a new name of a schema is about records under the old one, and is handled before it. */
    @Override
    public void handle(Tx tx, List<Event> events) {
        int begin = 0;
        for (int i = 0; i <= events.size(); i++) {
            boolean renamed = i < events.size() && events.get(i).type().equals(SCHEMA_RENAMED);
            if (renamed || i == events.size()) {
                handleRecords(tx, events.subList(begin, i));
                begin = i + 1;
            }
            if (renamed) {
                rename(tx, events.get(i));
            }
        }
    }

    /** Records are known by the name of their schema. */
    private void rename(Tx tx, Event event) {
        var payload = event.payload();
        long project = Ids.parse(payload.path("projectId").asString(""));
        resources.renameRecords(
                tx,
                new RecordRef(project, payload.path("from").asString(""), new UUID(0, 0)),
                new RecordRef(project, payload.path("schema").asString(""), new UUID(0, 0)));
    }

    private void handleRecords(Tx tx, List<Event> events) {
        if (events.isEmpty()) {
            return;
        }
        var known = resources.mirrored(
                tx,
                ResourceType.RECORD,
                events.stream()
                        .map(event -> RecordRef.of(event).externalId())
                        .distinct()
                        .toList());
        // Most records have no assignee: those are not looked up one by one.
        Map<Kind, Boolean> assigned = new HashMap<>();
        for (var event : events) {
            var ref = RecordRef.of(event);
            boolean mirrored = known.contains(ref.externalId());
            if (event.type().equals(MATCHED)) {
                if (matched(tx, event, ref)) {
                    known.add(ref.externalId());
                }
            } else if (event.type().equals(DELETED)) {
                if (mirrored) {
                    resolveDeleted(tx, event, ref);
                }
            } else if (mirrored
                    || assigned.computeIfAbsent(
                            new Kind(ref.project(), ref.schema()),
                            kind -> records.haveAssignee(tx, kind.project(), kind.schema()))) {
                changed(tx, event, ref, mirrored);
                known.add(ref.externalId());
            }
        }
    }

    private boolean matched(Tx tx, Event event, RecordRef ref) {
        var named = event.payload().path("ownerId").asString("");
        if (named.isEmpty()) {
            // Events of older versions have no owner.
            return false;
        }
        var owner = UserId.parse(named);
        var record = records.find(tx, ref.project(), ref.schema(), ref.row()).filter(found -> found.isVisibleTo(owner));
        record.ifPresent(found -> resources.notify(
                tx,
                mirror(tx, event, ref, found),
                Action.QUERY_MATCHED,
                NotificationAuthor.NOBODY,
                List.of(owner),
                HirobaResources.happenedAt(event)));
        return record.isPresent();
    }

    private void changed(Tx tx, Event event, RecordRef ref, boolean mirrored) {
        var record = records.find(tx, ref.project(), ref.schema(), ref.row());
        if (record.isEmpty()) {
            // The event of its deletion follows.
            return;
        }
        var assignees = assignments.named(tx, record.get());
        if (!assignees.isEmpty() || mirrored) {
            var by =
                    resources.author(tx, UserId.parse(event.payload().path("by").asString("")));
            assignments.assign(
                    tx, mirror(tx, event, ref, record.get()), assignees, by, HirobaResources.happenedAt(event));
        }
    }

    private void resolveDeleted(Tx tx, Event event, RecordRef ref) {
        var resource = resources.find(tx, ResourceType.RECORD, ref.externalId());
        resource.ifPresent(found -> resources.autoResolve(
                tx,
                mirror(tx, event, ref, found.title(), "deleted"),
                Set.of(Action.ASSIGNED, Action.QUERY_MATCHED),
                HirobaResources.happenedAt(event)));
    }

    private Resource mirror(Tx tx, Event event, RecordRef ref, RecordInfo record) {
        return mirror(tx, event, ref, record.title(), "opened");
    }

    private Resource mirror(Tx tx, Event event, RecordRef ref, String title, String state) {
        return resources.mirror(
                tx,
                RecordRef.namespace(ref.project()),
                ref.externalId(),
                title,
                ref.url(),
                state,
                HirobaResources.happenedAt(event),
                new ResourceDetails.RecordRow(ref.project(), ref.row()));
    }
}
