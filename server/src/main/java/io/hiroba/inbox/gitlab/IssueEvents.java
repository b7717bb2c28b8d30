package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.ParticipantRole;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** Handles issues and other work items: opened, changed, closed, reopened. */
final class IssueEvents implements GitlabEvents.Handler {

    private final GitlabPeople people;
    private final GitlabMirror mirror;
    private final Recipients recipients;
    private final ResourceMirror resources;
    private final AutoResolver resolver;

    IssueEvents(GitlabPeople people, GitlabMirror mirror, Recipients recipients, Fanout fanout) {
        this.people = people;
        this.mirror = mirror;
        this.recipients = recipients;
        resources = fanout.resources();
        resolver = fanout.resolver();
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var tx = event.tx();
        var attributes = event.attributes();
        var id = JsonFields.id(attributes);
        if (id.isEmpty()) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.issue-without-id"));
        }
        var at = event.at(attributes);
        boolean opened = event.action().equals("open");
        var mirrored = mirror.issue(event, attributes, GitlabMirror.workItemId(event.kind(), id.get()), null);
        var issue = mirrored.resource();
        var actor = people.actor(event);
        var author = NotificationAuthor.of(actor);
        people.numbered(event, attributes, "author_id")
                .ifPresent(person -> resources.addParticipant(tx, issue.id(), ParticipantRole.AUTHOR, person.id()));
        boolean reopened = event.action().equals("reopen");
        if (GitlabMirror.state(attributes).equals("opened")) {
            resolver.reopen(tx, issue, at, reopened);
        }
        var update = new Recipients.RoleUpdate(
                ParticipantRole.ASSIGNEE,
                people.participants(event, "assignees", "assignee"),
                recipients.change(event, "assignees"),
                opened,
                Action.ASSIGNED,
                event.time(attributes, "created_at").orElse(at));
        var requested = recipients.update(event, issue, update, author, at);
        recipients.notifyMentionedInDescription(event, issue, opened, author, at);
        if (event.action().equals("close")) {
            resolver.end(tx, issue, AutoResolveRule.ISSUE_CLOSED.actions(), at);
        } else if (GitlabMirror.state(attributes).equals("closed")) {
            event.time(attributes, "closed_at")
                    .ifPresent(closed -> resolver.end(tx, issue, AutoResolveRule.ISSUE_CLOSED.actions(), closed));
        }
        if (!event.isAutomatic()) {
            // Who reopens it gets back what is asked of them, too.
            actor.ifPresent(
                    person -> resolver.recordActivity(tx, issue, person, at, reopened ? List.of(person) : requested));
        }
        if (mirrored.newest()) {
            resolver.wakeSnoozed(tx, issue, SnoozeEvent.ANY, event.receivedAt());
        }
        return DeliveryOutcome.handled(
                event.action().isEmpty()
                        ? Text.of("inbox.outcome.issue-changed", "id", id.get())
                        : Text.of("inbox.outcome.issue", "id", id.get(), "action", event.action()));
    }
}
