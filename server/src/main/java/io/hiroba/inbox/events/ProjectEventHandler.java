package io.hiroba.inbox.events;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.Memberships;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.util.List;
import java.util.Set;

/** Deletes the resources of a deleted project, records who joins and leaves one, and notifies whoever takes one over. */
final class ProjectEventHandler implements HirobaEvents.Handler {

    private static final String DELETED = "project-deleted";
    private static final String JOINED = "project-joined";
    private static final String LEFT = "project-left";
    private static final String HANDED_OVER = "project-handed-over";
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
        return Set.of(DELETED, JOINED, LEFT, HANDED_OVER);
    }

    @Override
    public void handle(Tx tx, List<Event> events) {
        for (var event : events) {
            long project = Ids.parse(event.payload().path("projectId").asString(""));
            var path = RecordRef.namespace(project);
            switch (event.type()) {
                case DELETED -> resources.deleteNamespace(tx, path);
                case HANDED_OVER -> notifyOwner(tx, event, path, "/records/" + Ids.hex(project));
                default -> updateMember(tx, event, path);
            }
        }
    }

    private void notifyOwner(Tx tx, Event event, String path, String url) {
        var at = HirobaResources.happenedAt(event);
        var project =
                resources.mirrorNamespace(tx, path, event.payload().path("name").asString(path), url, at);
        var owner = UserId.parse(event.payload().path("userId").asString(""));
        resources.notify(tx, project, Action.PROJECT_HANDED_OVER, NotificationAuthor.NOBODY, List.of(owner), at);
    }

    private void updateMember(Tx tx, Event event, String path) {
        var user = UserId.parse(event.payload().path("userId").asString(""));
        // A join only matters to somebody who has left: members of a project are not notified as such.
        var namespace = resources.namespace(tx, path);
        if (namespace.isEmpty() || !resources.exists(tx, user)) {
            return;
        }
        var person = people.local(tx, user).id();
        if (event.type().equals(LEFT)) {
            members.leave(tx, namespace.get(), person, HirobaResources.happenedAt(event));
        } else {
            members.join(tx, namespace.get(), person, VIEWER, HirobaResources.happenedAt(event));
        }
    }
}
