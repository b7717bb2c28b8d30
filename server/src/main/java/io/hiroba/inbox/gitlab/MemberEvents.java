package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.Memberships;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.util.Locale;

/** Handles members of groups and projects: joining, leaving and requesting access. */
final class MemberEvents implements GitlabEvents.Handler {

    private final GitlabPeople people;
    private final GitlabNamespaces namespaces;
    private final GitlabMirror mirror;
    private final Recipients recipients;
    private final Memberships memberships;
    private final AutoResolver resolver;

    MemberEvents(
            GitlabPeople people,
            GitlabNamespaces namespaces,
            GitlabMirror mirror,
            Recipients recipients,
            Fanout fanout) {
        this.people = people;
        this.namespaces = namespaces;
        this.mirror = mirror;
        this.recipients = recipients;
        memberships = fanout.memberships();
        resolver = fanout.resolver();
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var root = event.root();
        var member = people.of(event, root, "user_");
        if (member.isEmpty()) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.member-without-id"));
        }
        var at = event.at(root);
        boolean group = event.kind().endsWith("_group");
        var namespace = group ? namespaces.group(event, root, at) : namespaces.of(event, at);
        var tx = event.tx();
        var person = member.get();
        switch (event.kind().replaceFirst("_(group|team|project)$", "")) {
            case "user_access_request_to" -> requestAccess(event, namespace, person, at);
            case "user_access_request_denied_for", "user_access_request_revoked_for" -> {
                memberships.refuse(tx, namespace.id(), person.id(), at);
                resolveRequest(event, namespace, person, at);
            }
            case "user_remove_from" -> {
                memberships.leave(tx, namespace.id(), person.id(), at);
                resolveRequest(event, namespace, person, at);
            }
            default -> {
                memberships.join(tx, namespace.id(), person.id(), access(event), at);
                resolveRequest(event, namespace, person, at);
            }
        }
        return DeliveryOutcome.handled(
                Text.of("inbox.outcome.member", "path", namespace.path(), "event", event.kind()));
    }

    private void requestAccess(GitlabEvent event, Namespace namespace, ExternalPerson person, Instant at) {
        var tx = event.tx();
        var resource = mirror.group(event, namespace, null);
        boolean isResolved = memberships
                .changedAt(tx, namespace.id(), person.id())
                .filter(changed -> !changed.isBefore(at))
                .isPresent();
        var notification =
                NotificationRequest.of(resource, Action.MEMBER_ACCESS_REQUESTED, NotificationAuthor.of(person), at);
        recipients.notifyOwners(tx, namespace.id(), isResolved ? notification.asResolved() : notification);
    }

    /** Resolves the request for access of somebody who has joined, left or was refused. */
    private void resolveRequest(GitlabEvent event, Namespace namespace, ExternalPerson person, Instant at) {
        var resource = mirror.group(event, namespace, null);
        resolver.resolveRequestsOf(event.tx(), resource, Action.MEMBER_ACCESS_REQUESTED, person, at);
    }

    private static int access(GitlabEvent event) {
        var text = JsonFields.find(event.root(), "group_access", "access_level", "project_access")
                .orElse("")
                .toLowerCase(Locale.ROOT);
        return switch (text) {
            case "owner" -> 50;
            case "maintainer", "master" -> 40;
            case "developer" -> 30;
            case "reporter" -> 20;
            case "planner" -> 15;
            case "minimal access", "minimal" -> 5;
            default -> text.matches("\\d{1,3}") ? Integer.parseInt(text) : 10;
        };
    }
}
