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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Notifies users of records that are assigned to them or matched by their saved queries. */
final class RecordEventHandler implements HirobaEventHandler {

    private static final String CREATED = "record-created";
    private static final String CHANGED = "record-changed";
    private static final String DELETED = "record-deleted";
    private static final String MATCHED = "record-matched";

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
        return Set.of(CREATED, CHANGED, DELETED, MATCHED);
    }

    private record Kind(long project, String schema) {}

    @Override
    public void handle(Tx tx, List<Event> events) {
        var known = resources.mirrored(
                tx,
                ResourceType.RECORD,
                events.stream()
                        .map(event -> RecordRef.of(event).externalId())
                        .distinct()
                        .toList());
        // Most records concern nobody in particular: those are not looked at one by one.
        Map<Kind, Boolean> assigned = new HashMap<>();
        for (var event : events) {
            var place = RecordRef.of(event);
            boolean mirrored = known.contains(place.externalId());
            if (event.type().equals(MATCHED)) {
                if (matched(tx, event, place)) {
                    known.add(place.externalId());
                }
            } else if (event.type().equals(DELETED)) {
                if (mirrored) {
                    gone(tx, event, place);
                }
            } else if (mirrored
                    || assigned.computeIfAbsent(
                            new Kind(place.project(), place.schema()),
                            kind -> records.haveAssignee(tx, kind.project(), kind.schema()))) {
                changed(tx, event, place, mirrored);
                known.add(place.externalId());
            }
        }
    }

    private boolean matched(Tx tx, Event event, RecordRef place) {
        var named = event.payload().path("ownerId").asString("");
        if (named.isEmpty()) {
            // Told by a version that did not say to whom.
            return false;
        }
        var owner = UserId.parse(named);
        var record = records.find(tx, place.project(), place.schema(), place.row())
                .filter(found -> found.isVisibleTo(owner));
        record.ifPresent(found -> resources.notify(
                tx,
                mirror(tx, event, place, found),
                Action.QUERY_MATCHED,
                NotificationAuthor.NOBODY,
                List.of(owner),
                HirobaResources.happenedAt(event)));
        return record.isPresent();
    }

    private void changed(Tx tx, Event event, RecordRef place, boolean mirrored) {
        var record = records.find(tx, place.project(), place.schema(), place.row());
        if (record.isEmpty()) {
            // The event of its deletion follows.
            return;
        }
        var assignee = assignments.named(tx, record.get());
        if (assignee.isPresent() || mirrored) {
            var by =
                    resources.author(tx, UserId.parse(event.payload().path("by").asString("")));
            assignments.assign(
                    tx, mirror(tx, event, place, record.get()), assignee, by, HirobaResources.happenedAt(event));
        }
    }

    private void gone(Tx tx, Event event, RecordRef place) {
        var resource = resources.find(tx, ResourceType.RECORD, place.externalId());
        resource.ifPresent(found -> resources.autoResolve(
                tx,
                mirror(tx, event, place, found.title(), "deleted"),
                Set.of(Action.ASSIGNED, Action.QUERY_MATCHED),
                HirobaResources.happenedAt(event)));
    }

    private Resource mirror(Tx tx, Event event, RecordRef place, RecordInfo record) {
        return mirror(tx, event, place, record.title(), "opened");
    }

    private Resource mirror(Tx tx, Event event, RecordRef place, String title, String state) {
        return resources.mirror(
                tx,
                RecordRef.namespace(place.project()),
                place.externalId(),
                title,
                place.url(),
                state,
                HirobaResources.happenedAt(event),
                new ResourceDetails.RecordRow(place.project(), place.row()));
    }
}
