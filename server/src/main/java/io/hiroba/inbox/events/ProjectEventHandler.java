package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.Memberships;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Set;

/** Deletes the resources of a deleted project, and records who joins and leaves one. */
final class ProjectEventHandler implements HirobaEventHandler {

    private static final String DELETED = "project-deleted";
    private static final String JOINED = "project-joined";
    private static final String LEFT = "project-left";
    private static final int VIEWER = 20;

    private final HirobaResources resources;
    private final ExternalPeople people;
    private final Memberships members;

    ProjectEventHandler(HirobaResources resources, ExternalPeople people, Memberships members) {
        this.resources = resources;
        this.people = people;
        this.members = members;
    }

    @Override
    public Set<String> types() {
        return Set.of(DELETED, JOINED, LEFT);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        for (var event : events) {
            var place = RecordRef.namespace(
                    Ids.parse(event.payload().path("projectId").asString("")));
            if (event.type().equals(DELETED)) {
                resources.deleteNamespace(tx, place);
            } else {
                moved(tx, event, place);
            }
        }
    }

    private void moved(Tx tx, Event event, String place) {
        var user = UserId.parse(event.payload().path("userId").asString(""));
        // Who has come is of use only to take back that they left: nothing is asked of the members of a project.
        var namespace = resources.namespace(tx, place);
        if (namespace.isEmpty() || !resources.isPresent(tx, user)) {
            return;
        }
        var person = people.local(tx, user).id();
        if (event.type().equals(LEFT)) {
            members.left(tx, namespace.get(), person, HirobaResources.happenedAt(event));
        } else {
            members.joined(tx, namespace.get(), person, VIEWER, HirobaResources.happenedAt(event));
        }
    }
}
