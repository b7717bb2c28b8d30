package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.fanout.Author;
import io.hiroba.inbox.own.KnownRecords.KnownRecord;
import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells people of records that they are to see to, or that a query of theirs has found. */
final class RecordNews implements EventSubject {

    private static final String CREATED = "record-created";
    private static final String CHANGED = "record-changed";
    private static final String DELETED = "record-deleted";
    private static final String MATCHED = "record-matched";

    private final Ours ours;
    private final KnownRecords records;
    private final Assignments assignments;

    RecordNews(Ours ours, KnownRecords records, Assignments assignments) {
        this.ours = ours;
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
        var known = ours.mirrored(
                tx,
                ResourceType.RECORD,
                events.stream()
                        .map(event -> RecordPlace.of(event).externalId())
                        .distinct()
                        .toList());
        // Most records concern nobody in particular: those are not looked at one by one.
        Map<Kind, Boolean> assigned = new HashMap<>();
        for (var event : events) {
            var place = RecordPlace.of(event);
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
                            kind -> records.areAssigned(tx, kind.project(), kind.schema()))) {
                changed(tx, event, place, mirrored);
                known.add(place.externalId());
            }
        }
    }

    private boolean matched(Tx tx, Event event, RecordPlace place) {
        var named = event.payload().path("ownerId").asString("");
        if (named.isEmpty()) {
            // Told by a version that did not say to whom.
            return false;
        }
        var owner = UserId.parse(named);
        var record = records.find(tx, place).filter(found -> found.isSeenBy(owner));
        record.ifPresent(found -> ours.tell(
                tx,
                mirror(tx, event, place, found),
                Action.QUERY_MATCHED,
                Author.NOBODY,
                List.of(owner),
                Ours.moment(event)));
        return record.isPresent();
    }

    private void changed(Tx tx, Event event, RecordPlace place, boolean mirrored) {
        var record = records.find(tx, place);
        if (record.isEmpty()) {
            // That it was deleted is told after this.
            return;
        }
        var assignee = assignments.named(tx, record.get());
        if (assignee.isPresent() || mirrored) {
            var by = ours.author(tx, UserId.parse(event.payload().path("by").asString("")));
            assignments.assign(tx, mirror(tx, event, place, record.get()), assignee, by, Ours.moment(event));
        }
    }

    private void gone(Tx tx, Event event, RecordPlace place) {
        var resource = ours.find(tx, ResourceType.RECORD, place.externalId());
        resource.ifPresent(found -> ours.moot(
                tx,
                mirror(tx, event, place, found.title(), "deleted"),
                Set.of(Action.ASSIGNED, Action.QUERY_MATCHED),
                Ours.moment(event)));
    }

    private Resource mirror(Tx tx, Event event, RecordPlace place, KnownRecord record) {
        return mirror(tx, event, place, record.title(), "opened");
    }

    private Resource mirror(Tx tx, Event event, RecordPlace place, String title, String state) {
        return ours.mirror(
                tx,
                RecordPlace.namespace(place.project()),
                place.externalId(),
                title,
                place.url(),
                state,
                Ours.moment(event),
                new Details.RecordRow(place.project(), place.row()));
    }
}
