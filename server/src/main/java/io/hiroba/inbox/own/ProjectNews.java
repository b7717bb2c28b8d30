package io.hiroba.inbox.own;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.people.Members;
import io.hiroba.inbox.resources.People;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Set;

/** Takes away what items are about with its project, and the items of those who leave one. */
final class ProjectNews implements EventSubject {

    private static final String DELETED = "project-deleted";
    private static final String JOINED = "project-joined";
    private static final String LEFT = "project-left";
    private static final int VIEWER = 20;

    private final Ours ours;
    private final People people;
    private final Members members;

    ProjectNews(Ours ours, People people, Members members) {
        this.ours = ours;
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
            var place = RecordPlace.namespace(
                    Ids.parse(event.payload().path("projectId").asString("")));
            if (event.type().equals(DELETED)) {
                ours.deleteNamespace(tx, place);
            } else {
                moved(tx, event, place);
            }
        }
    }

    private void moved(Tx tx, Event event, String place) {
        var user = UserId.parse(event.payload().path("userId").asString(""));
        // Who has come is of use only to take back that they left: nothing is asked of the members of a project.
        var namespace = ours.namespace(tx, place);
        if (namespace.isEmpty() || !ours.isPresent(tx, user)) {
            return;
        }
        var person = people.here(tx, user).id();
        if (event.type().equals(LEFT)) {
            members.left(tx, namespace.get(), person, Ours.moment(event));
        } else {
            members.joined(tx, namespace.get(), person, VIEWER, Ours.moment(event));
        }
    }
}
