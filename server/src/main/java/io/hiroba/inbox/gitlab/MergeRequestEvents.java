package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.ParticipantRole;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Handles merge requests: opened, changed, reviewed, approved, merged, closed. */
final class MergeRequestEvents implements GitlabEvents.Handler {

    private static final Set<String> ENDS = Set.of("merge", "close");
    private static final Set<String> ENDED = Set.of("merged", "closed");
    private static final Set<String> APPROVALS = Set.of("approved", "approval");

    private final GitlabPeople people;
    private final GitlabMirror mirror;
    private final Recipients recipients;
    private final ApproverUpdates approvers;
    private final MergeConflicts conflicts;
    private final ResourceMirror resources;
    private final Notifier notifier;
    private final AutoResolver resolver;

    MergeRequestEvents(GitlabPeople people, GitlabMirror mirror, Recipients recipients, Fanout fanout) {
        this.people = people;
        this.mirror = mirror;
        this.recipients = recipients;
        approvers = new ApproverUpdates(people, recipients, fanout);
        conflicts = new MergeConflicts(fanout);
        resources = fanout.resources();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var tx = event.tx();
        var attributes = event.attributes();
        var id = JsonFields.id(attributes);
        if (id.isEmpty()) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.merge-request-without-id"));
        }
        var at = event.at(attributes);
        boolean opened = event.action().equals("open");
        var mirrored = mirror.mergeRequest(event, attributes, id.get(), null);
        var request = mirrored.resource();
        var actor = people.actor(event);
        var author = NotificationAuthor.of(actor);
        people.numbered(event, attributes, "author_id")
                .ifPresent(person -> resources.addParticipant(tx, request.id(), ParticipantRole.AUTHOR, person.id()));
        if (GitlabMirror.state(attributes).equals("opened")) {
            resolver.reopen(tx, request, at, event.action().equals("reopen"));
        }
        var requested = new ArrayList<ExternalPerson>();
        for (var update : List.of(
                update(event, ParticipantRole.ASSIGNEE, "assignee", Action.ASSIGNED, at),
                update(event, ParticipantRole.REVIEWER, "reviewer", Action.REVIEW_REQUESTED, at))) {
            requested.addAll(recipients.update(event, request, update, author, at));
        }
        requested.addAll(approvers.update(event, request, author, at));
        recipients.notifyMentionedInDescription(event, request, opened, author, at);
        var owners = owners(event, request);
        review(event, request, actor, owners, at);
        requested.addAll(conflicts.update(event, request, owners, at));
        boolean ended = ENDED.contains(GitlabMirror.state(attributes));
        if (ENDS.contains(event.action())) {
            resolver.end(tx, request, AutoResolveRule.MERGE_REQUEST_ENDED.actions(), at);
        } else if (ended) {
            resolver.endMissed(tx, request, AutoResolveRule.MERGE_REQUEST_ENDED.actions(), at);
        }
        if (event.action().equals("reopen")) {
            // Who reopens it gets back what is asked of them, too.
            actor.ifPresent(requested::add);
        }
        if (!event.isAutomatic()) {
            actor.ifPresent(person -> resolver.recordActivity(tx, request, person, at, requested));
        }
        if (mirrored.newest()) {
            var snooze = ended || ENDS.contains(event.action()) ? SnoozeEvent.MERGE : SnoozeEvent.ANY;
            resolver.wakeSnoozed(tx, request, snooze, event.receivedAt());
        }
        return DeliveryOutcome.handled(
                event.action().isEmpty()
                        ? Text.of("inbox.outcome.merge-request-changed", "id", id.get())
                        : Text.of("inbox.outcome.merge-request", "id", id.get(), "action", event.action()));
    }

    private Recipients.RoleUpdate update(
            GitlabEvent event, ParticipantRole role, String single, Action action, Instant at) {
        var list = single + "s";
        return new Recipients.RoleUpdate(
                role,
                people.participants(event, list, single),
                recipients.change(event, list).or(() -> requestedAgain(event, list)),
                event.action().equals("open"),
                action,
                event.time(event.attributes(), "created_at").orElse(at));
    }

    /** Some versions of GitLab mark repeated requests only in the list itself. */
    private Optional<Recipients.Change> requestedAgain(GitlabEvent event, String list) {
        var again =
                recipients.requestedAgain(event, JsonFields.objects(event.root().path(list)));
        return again.isEmpty() || event.action().equals("open")
                ? Optional.empty()
                : Optional.of(new Recipients.Change(again, List.of()));
    }

    /** Its author and assignees at the time of the event. */
    private List<ExternalPerson> owners(GitlabEvent event, Resource request) {
        var owners = new ArrayList<ExternalPerson>();
        people.numbered(event, event.attributes(), "author_id").ifPresent(owners::add);
        owners.addAll(people.participants(event, "assignees", "assignee")
                .orElseGet(() -> resources.participants(event.tx(), request.id(), ParticipantRole.ASSIGNEE)));
        return ExternalPerson.distinct(owners);
    }

    /**
     * Notifies author and assignees of reviews. GitLab does not always change the time of a merge request when somebody
     * approves it, so the notification is dated a microsecond later: the author's own activity must not resolve it.
     */
    private void review(
            GitlabEvent event,
            Resource request,
            Optional<ExternalPerson> actor,
            List<ExternalPerson> owners,
            Instant at) {
        var tx = event.tx();
        var reviewers = new ArrayList<ExternalPerson>(recipients.reviewed(event));
        if (APPROVALS.contains(event.action())) {
            actor.ifPresent(reviewers::add);
        }
        if (reviewers.isEmpty()) {
            return;
        }
        for (var reviewer : ExternalPerson.distinct(reviewers)) {
            var notification = NotificationRequest.of(
                    request, Action.REVIEW_SUBMITTED, NotificationAuthor.of(reviewer), at.plus(1, ChronoUnit.MICROS));
            notifier.notifyOnce(tx, notification, owners);
        }
    }
}
