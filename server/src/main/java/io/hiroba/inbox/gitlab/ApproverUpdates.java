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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Notifies the approvers of a merge request whom its events name. */
final class ApproverUpdates {

    private static final List<String> LISTS = List.of("eligible_approvers", "approvers", "users");

    private final GitlabPeople people;
    private final Recipients recipients;
    private final ResourceMirror resources;
    private final Notifier notifier;
    private final AutoResolver resolver;

    ApproverUpdates(GitlabPeople people, Recipients recipients, Fanout fanout) {
        this.people = people;
        this.recipients = recipients;
        resources = fanout.resources();
        notifier = fanout.notifier();
        resolver = fanout.resolver();
    }

    /** Returns the people whose approval this event requests. */
    List<ExternalPerson> update(GitlabEvent event, Resource request, NotificationAuthor author, Instant at) {
        var tx = event.tx();
        var change = recipients.change(event, "approvers");
        var update = new Recipients.RoleUpdate(
                ParticipantRole.APPROVER,
                listed(event),
                change,
                event.action().equals("open"),
                change.isPresent() ? Action.ADDED_APPROVER : Action.APPROVAL_REQUIRED,
                event.time(event.attributes(), "created_at").orElse(at));
        var requested = new ArrayList<ExternalPerson>(recipients.update(event, request, update, author, at));
        if (event.action().equals("approved")) {
            resolver.autoResolve(tx, request, AutoResolveRule.APPROVED.actions(), at);
        } else if (isRequestedAgain(event)) {
            var approvers = resources.participants(tx, request.id(), ParticipantRole.APPROVER);
            notifier.notifyOnce(tx, NotificationRequest.of(request, Action.APPROVAL_REQUIRED, author, at), approvers);
            requested.addAll(approvers);
        }
        return requested;
    }

    /** Whether an approval was revoked, or reset by new commits. */
    private static boolean isRequestedAgain(GitlabEvent event) {
        return event.action().equals("unapproved")
                || JsonFields.text(event.attributes(), "system_action").contains("approvals_reset")
                || JsonFields.text(event.root(), "system_action").contains("approvals_reset");
    }

    private Optional<List<ExternalPerson>> listed(GitlabEvent event) {
        var found = new ArrayList<JsonNode>();
        boolean isListed = false;
        for (var node : List.of(event.root(), event.attributes())) {
            isListed |= node.path("approvers").isArray()
                    || node.path("approval_rules").isArray();
            found.addAll(JsonFields.objects(node.path("approvers")));
            for (var rule : JsonFields.objects(node.path("approval_rules"))) {
                LISTS.forEach(list -> found.addAll(JsonFields.objects(rule.path(list))));
            }
        }
        return isListed ? Optional.of(people.all(event, found)) : Optional.empty();
    }
}
