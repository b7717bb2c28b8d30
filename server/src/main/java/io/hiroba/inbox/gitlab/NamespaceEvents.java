package io.hiroba.inbox.gitlab;

import io.hiroba.platform.i18n.Text;
import java.util.Optional;

/** Handles groups and projects: created, moved, deleted. */
final class NamespaceEvents implements GitlabEvents.Handler {

    private final GitlabNamespaces namespaces;

    NamespaceEvents(GitlabNamespaces namespaces) {
        this.namespaces = namespaces;
    }

    @Override
    public DeliveryOutcome handle(GitlabEvent event) {
        var root = event.root();
        boolean project = event.kind().startsWith("project_");
        var number = JsonFields.number(root, project ? "project_id" : "group_id");
        // The path of a top-level group is its full path.
        var path = JsonFields.find(root, "path_with_namespace", "full_path")
                .or(() -> event.kind().equals("group_create") ? JsonFields.find(root, "path") : Optional.empty());
        if (number.isEmpty()) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.namespace-without-id"));
        }
        var id = (project ? "project:" : "group:") + number.get();
        if (event.kind().endsWith("_destroy")) {
            path.ifPresent(last -> namespaces.was(event, id, last));
            namespaces.delete(event, id);
            return DeliveryOutcome.handled(Text.of("inbox.outcome.namespace-deleted", "id", id));
        }
        var at = event.at(root);
        if (path.isPresent()) {
            JsonFields.find(root, "old_path_with_namespace", "old_full_path")
                    .ifPresent(before -> namespaces.was(event, id, before));
            namespaces.at(event.tx(), event.connection(), path.get(), id, at);
            return DeliveryOutcome.handled(Text.of("inbox.outcome.namespace-at", "id", id, "path", path.get()));
        }
        namespaces.group(event, root, at);
        return DeliveryOutcome.handled(Text.of("inbox.outcome.namespace", "id", id));
    }
}
