package io.hiroba.inbox.gitlab;

import io.hiroba.accounts.Admins;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.Memberships;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.ParticipantRole;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Decides who is notified of an event: participants who are added, people who are mentioned, and owners of groups and
 * projects. A change counts as of its time, in whichever order events arrive: somebody who was removed since gets a resolved
 * item.
 */
final class Recipients {

    private final GitlabPeople people;
    private final ResourceMirror resources;
    private final Memberships memberships;
    private final Notifier notifier;
    private final AutoResolver resolver;
    private final Admins admins = new Admins();
    private final EventStateStore state = new EventStateStore();

    Recipients(GitlabPeople people, Fanout fanout) {
        this.people = people;
        resources = fanout.resources();
        memberships = fanout.memberships();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    /** The participants who an event says were added and removed. */
    record Change(List<ExternalPerson> added, List<ExternalPerson> removed) {}

    /**
     * The participants of one role as an event states them.
     *
     * @param listed all of them; empty if the event does not list them
     * @param change empty if the event does not list the change
     * @param isNew whether the resource was just opened, so that all who are listed were added
     * @param action of the notification to those who are added
     * @param since when the resource was created: somebody whose addition was missed was added no earlier
     */
    record RoleUpdate(
            ParticipantRole role,
            Optional<List<ExternalPerson>> listed,
            Optional<Change> change,
            boolean isNew,
            Action action,
            Instant since) {}

    /** Syncs the participants of a role and notifies those who were added; returns the people whom this event notifies. */
    List<ExternalPerson> update(
            GitlabEvent event, Resource resource, RoleUpdate update, NotificationAuthor author, Instant at) {
        var tx = event.tx();
        var role = update.role();
        var syncedAt = state.syncedAt(tx, resource.id(), role);
        boolean newest = syncedAt.isEmpty() || !at.isBefore(syncedAt.get());
        var before = resources.participants(tx, resource.id(), role);
        var listed = update.listed();
        if (listed.isPresent() && newest) {
            var ids = listed.get().stream().map(ExternalPerson::id).toList();
            resources.setParticipants(tx, resource.id(), role, ids);
            state.setSyncedAt(tx, resource.id(), role, at);
        }
        var now = newest && listed.isPresent() ? listed.get() : before;
        var change = update.change();
        var added = change.map(Change::added).orElseGet(() -> update.isNew() ? listed.orElse(List.of()) : List.of());
        var request = NotificationRequest.of(resource, update.action(), author, at);
        if (newest) {
            notifier.notifyOnce(tx, request, added);
        } else {
            var stillThere =
                    added.stream().filter(person -> person.isAmong(now)).toList();
            notifier.notifyOnce(tx, request, stillThere);
            notifier.notifyOnce(tx, request.asResolved(), ExternalPerson.minus(added, now));
        }
        if (newest && listed.isPresent()) {
            resolver.withdraw(tx, resource, update.action(), ExternalPerson.minus(before, listed.get()), at);
            // Those whose addition was missed, or is still to arrive: they were added after the last sync.
            var unannounced = ExternalPerson.minus(ExternalPerson.minus(listed.get(), before), added);
            var since = syncedAt.orElse(update.since());
            var late = NotificationRequest.of(
                    resource, update.action(), NotificationAuthor.NOBODY, since.isBefore(at) ? since : at);
            boolean open = GitlabMirror.state(event.attributes()).equals("opened");
            notifier.notifyOnce(tx, open ? late : late.asResolved(), unannounced);
        }
        change.ifPresent(changed -> resolver.withdraw(tx, resource, update.action(), changed.removed(), at));
        return added;
    }

    /** The change of a list such as {@code changes.assignees}. Somebody who is requested again counts as added, too. */
    Optional<Change> change(GitlabEvent event, String list) {
        var change = event.changes().path(list);
        if (!change.isObject()) {
            return Optional.empty();
        }
        var before = people.all(event, JsonFields.objects(change.path("previous")));
        var current = JsonFields.objects(change.path("current"));
        var after = people.all(event, current);
        var added = new ArrayList<>(ExternalPerson.minus(after, before));
        added.addAll(requestedAgain(event, current));
        return Optional.of(new Change(ExternalPerson.distinct(added), ExternalPerson.minus(before, after)));
    }

    List<ExternalPerson> requestedAgain(GitlabEvent event, List<JsonNode> nodes) {
        return people.all(
                event,
                nodes.stream()
                        .filter(node -> JsonFields.flag(node, "re_requested"))
                        .toList());
    }

    /** Finds the reviewers whose review is new: their state was another before. */
    List<ExternalPerson> reviewed(GitlabEvent event) {
        var change = event.changes().path("reviewers");
        var before = JsonFields.objects(change.path("previous"));
        return people.all(
                event,
                JsonFields.objects(change.path("current")).stream()
                        .filter(Recipients::isReviewed)
                        .filter(node -> before.stream().noneMatch(old -> isSame(old, node) && isReviewed(old)))
                        .toList());
    }

    private static boolean isReviewed(JsonNode reviewer) {
        return switch (JsonFields.text(reviewer, "state")) {
            case "reviewed", "requested_changes", "approved" -> true;
            default -> false;
        };
    }

    private static boolean isSame(JsonNode one, JsonNode other) {
        return Stream.of("id", "username")
                .anyMatch(field -> JsonFields.find(one, field)
                        .filter(value -> value.equals(JsonFields.text(other, field)))
                        .isPresent());
    }

    /** Notifies those whom the description mentions and did not mention before. */
    void notifyMentionedInDescription(
            GitlabEvent event, Resource resource, boolean isNew, NotificationAuthor author, Instant at) {
        var change = event.changes().path("description");
        if (isNew) {
            var mentions = GitlabMentions.of(JsonFields.rawText(event.attributes(), "description"));
            notifyMentioned(event, resource, mentions, author, at);
        } else if (change.isObject()) {
            var before = GitlabMentions.of(JsonFields.rawText(change, "previous"));
            var mentions =
                    GitlabMentions.of(JsonFields.rawText(change, "current")).without(before);
            notifyMentioned(event, resource, mentions, author, at);
        }
    }

    void notifyMentioned(
            GitlabEvent event, Resource resource, GitlabMentions mentions, NotificationAuthor author, Instant at) {
        var addressed = NotificationRequest.of(resource, Action.DIRECTLY_ADDRESSED, author, at);
        notifier.notifyOnce(event.tx(), addressed, people.named(event, mentions.addressed()));
        var mentioned = NotificationRequest.of(resource, Action.MENTIONED, author, at);
        notifier.notifyOnce(event.tx(), mentioned, people.named(event, mentions.mentioned()));
    }

    /** Notifies the owners and maintainers of a group or project, or Hiroba's admins where none are known. */
    void notifyOwners(Tx tx, NamespaceId namespace, NotificationRequest request) {
        var owners = memberships.owners(tx, namespace);
        if (!owners.isEmpty()) {
            notifier.notifyOnce(tx, request, owners);
        } else if (!request.resolved()) {
            notifier.notifyUsersOnce(tx, request, admins.all(tx));
        }
    }
}
