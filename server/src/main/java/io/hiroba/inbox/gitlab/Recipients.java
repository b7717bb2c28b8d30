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
import io.hiroba.inbox.fanout.PersonId;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        var listed = update.listed();
        var change = update.change();
        var added = change.map(Change::added).orElseGet(() -> update.isNew() ? listed.orElse(List.of()) : List.of());
        var request = NotificationRequest.of(resource, update.action(), author, at);
        var corrected =
                listed.isPresent() ? sync(event, request, update, listed.get(), added) : List.<ExternalPerson>of();
        notifier.notifyOnce(tx, request, ExternalPerson.minus(added, corrected));
        change.ifPresent(changed ->
                resolver.withdrawAsOf(tx, resource, Set.copyOf(update.role().actions()), changed.removed(), at));
        return added;
    }

    /**
     * Stores a list of participants. Who is in it without having been in the one before, and without an event that says so,
     * was added after that: the event was missed, or is still to arrive and takes the place of this guess then.
     *
     * @return those of the added who are notified by this already
     */
    private List<ExternalPerson> sync(
            GitlabEvent event,
            NotificationRequest request,
            RoleUpdate update,
            List<ExternalPerson> listed,
            List<ExternalPerson> added) {
        var tx = event.tx();
        var resource = request.resource();
        var role = update.role();
        var at = request.at();
        var before = state.syncBefore(tx, resource.id(), role, at);
        var known = state.syncAt(tx, resource.id(), role, at);
        var next = state.syncAfter(tx, resource.id(), role, at);
        boolean open = GitlabMirror.state(event.attributes()).equals("opened");
        var announced = Stream.concat(
                        known.stream().flatMap(old -> old.added().stream()),
                        added.stream().map(ExternalPerson::id))
                .distinct()
                .toList();
        var since = update.since().isBefore(at) ? update.since() : at;
        var sync = new EventStateStore.Sync(
                at,
                listed.stream().map(ExternalPerson::id).distinct().toList(),
                announced,
                open ? Optional.of(since.truncatedTo(ChronoUnit.MICROS)) : Optional.empty());
        var participants = resources.participants(tx, resource.id(), role);
        resolver.syncParticipants(
                tx,
                resource,
                role,
                next.isPresent() ? null : ExternalPerson.minus(participants, listed),
                at,
                () -> state.saveSync(tx, resource.id(), role, sync));
        if (next.isEmpty()) {
            resources.setParticipants(tx, resource.id(), role, sync.people());
        }
        var guesses = guesses(Optional.of(sync), before);
        known.ifPresent(old -> guesses.keySet().removeAll(old.people()));
        var obsolete = guesses(next, known.or(() -> before));
        guesses(next, Optional.of(sync)).forEach(guesses::putIfAbsent);
        var corrections = new LinkedHashMap<PersonId, Notifier.Correction>();
        for (var person : Stream.of(obsolete.keySet(), guesses.keySet())
                .flatMap(Set::stream)
                .distinct()
                .flatMap(id -> people.find(event, id).stream())
                .toList()) {
            var guess = Optional.ofNullable(guesses.get(person.id()))
                    .map(when -> NotificationRequest.of(
                            resource, role.actions().getFirst(), NotificationAuthor.NOBODY, when));
            var asked =
                    person.isAmong(added) && request.action() == role.actions().getFirst()
                            ? Optional.of(request)
                            : guess;
            corrections.put(
                    person.id(), new Notifier.Correction(person, obsolete.get(person.id()), asked.orElse(null)));
        }
        notifier.correct(tx, resource, role.actions().getFirst(), List.copyOf(corrections.values()));
        return request.action() == role.actions().getFirst()
                ? added.stream()
                        .filter(person -> corrections.containsKey(person.id()))
                        .toList()
                : List.of();
    }

    /** As of when those are asked whose addition no event has stated. */
    private static Map<PersonId, Instant> guesses(
            Optional<EventStateStore.Sync> sync, Optional<EventStateStore.Sync> before) {
        var guesses = new LinkedHashMap<PersonId, Instant>();
        sync.ifPresent(list -> list.since()
                .ifPresent(since -> list.people().stream()
                        .filter(list::isUnannounced)
                        .filter(person -> before.filter(old -> old.people().contains(person))
                                .isEmpty())
                        .forEach(person -> guesses.put(
                                person,
                                before.map(old -> old.at().plus(1, ChronoUnit.MICROS))
                                        .orElse(since)))));
        return guesses;
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
