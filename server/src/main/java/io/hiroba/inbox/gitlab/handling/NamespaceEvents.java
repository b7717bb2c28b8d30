package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.gitlab.deliveries.Outcome;
import java.util.Optional;

/** Groups and projects: made, moved, deleted. */
final class NamespaceEvents implements EventHandler {

    private final Places places;

    NamespaceEvents(Places places) {
        this.places = places;
    }

    @Override
    public Outcome handle(Event event) {
        var root = event.root();
        boolean project = event.kind().startsWith("project_");
        var number = Fields.number(root, project ? "project_id" : "group_id");
        // A group that is not a subgroup stands below none.
        var path = Fields.find(root, "path_with_namespace", "full_path")
                .or(() -> event.kind().equals("group_create") ? Fields.find(root, "path") : Optional.empty());
        if (number.isEmpty()) {
            return Outcome.ignored("It does not say which group or project it is about.");
        }
        var id = (project ? "project:" : "group:") + number.get();
        if (event.kind().endsWith("_destroy")) {
            places.delete(event, id);
            return Outcome.handled("%s is deleted".formatted(id));
        }
        var at = event.at(root);
        if (path.isPresent()) {
            places.at(event.tx(), event.connection(), path.get(), id, at);
        } else {
            places.group(event, root, at);
        }
        return Outcome.handled("%s at %s".formatted(id, path.orElse("its path")));
    }
}
