package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.platform.i18n.Text;

/** Handles access tokens of groups and projects that are about to expire. */
final class AccessTokenEvents implements GitlabEvents.Handler {

    private final GitlabNamespaces namespaces;
    private final GitlabMirror mirror;
    private final Recipients recipients;

    AccessTokenEvents(GitlabNamespaces namespaces, GitlabMirror mirror, Recipients recipients) {
        this.namespaces = namespaces;
        this.mirror = mirror;
        this.recipients = recipients;
    }

    /** The event has no time: it counts as of its receipt. */
    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var at = event.receivedAt();
        var namespace = namespaces.of(event, at);
        var url = JsonFields.find(event.root().path("project"), "web_url").orElse(null);
        var resource = mirror.group(event, namespace, url);
        recipients.notifyOwners(
                event.tx(),
                namespace.id(),
                NotificationRequest.of(resource, Action.ACCESS_TOKEN_EXPIRING, NotificationAuthor.NOBODY, at));
        return DeliveryOutcome.handled(Text.of(
                "inbox.outcome.token", "name", JsonFields.text(event.attributes(), "name"), "path", namespace.path()));
    }
}
