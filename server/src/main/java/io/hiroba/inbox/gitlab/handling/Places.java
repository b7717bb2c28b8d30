package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.ConnectionId;
import io.hiroba.inbox.resources.Namespace;
import io.hiroba.inbox.resources.Namespaces;
import io.hiroba.platform.db.Tx;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The group or project that a payload is about. */
final class Places {

    private static final String UNKNOWN = "unknown";
    private static final int LONGEST = 500;
    private static final int DEEPEST = 20;

    private final Namespaces namespaces;
    private final PlaceStore store = new PlaceStore();

    Places(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    static Optional<Long> projectId(Event event) {
        return Fields.number(event.root().path("project"), "id")
                .or(() -> Fields.number(event.root(), "project_id"))
                .or(() -> Fields.number(event.attributes(), "target_project_id", "project_id"));
    }

    private static Optional<Long> groupId(Event event) {
        return Fields.number(event.root().path("group"), "group_id", "id")
                .or(() -> Fields.number(event.root(), "group_id"));
    }

    /** Whether what it is about was deleted: it is not brought back by what is told of it late. */
    boolean isGone(Event event) {
        return projectId(event)
                .map(id -> "project:" + id)
                .or(() -> groupId(event).map(id -> "group:" + id))
                .map(id -> store.isGone(event.tx(), event.connection(), id))
                .orElse(false);
    }

    /** Where something that happened at that time belongs to. */
    Namespace of(Event event, Instant at) {
        var root = event.root();
        var project = root.path("project");
        var path = Fields.find(project, "path_with_namespace")
                .or(() -> Fields.find(root, "path_with_namespace", "project_path_with_namespace"))
                .or(() ->
                        Fields.find(project, "web_url", "homepage", "http_url").flatMap(Places::pathOf))
                .or(() -> Fields.find(root.path("repository"), "homepage").flatMap(Places::pathOf));
        if (path.isPresent()) {
            var id = projectId(event).map(number -> "project:" + number).orElse(null);
            return at(event.tx(), event.connection(), path.get(), id, at);
        }
        var group = root.path("group");
        return group.isObject() || root.has("group_id")
                ? group(event, group.isObject() ? group : root, at)
                : lost(event, at);
    }

    private Namespace lost(Event event, Instant at) {
        var path = Fields.find(event.attributes(), "url").flatMap(Places::pathOf);
        return at(event.tx(), event.connection(), path.orElse(UNKNOWN), null, at);
    }

    /**
     * A group, whose path may be told without those above it: its number goes before that. Where its number is new, it is
     * the only one with such a name whose number is not known; otherwise where it stands is not known until it is told.
     */
    Namespace group(Event event, JsonNode node, Instant at) {
        var id = Fields.number(node, "group_id", "id").map(number -> "group:" + number);
        var known = id.flatMap(number -> store.find(event.tx(), event.connection(), number));
        var full = Fields.find(node, "full_path", "group_full_path", "path_with_namespace");
        if (known.isPresent() && full.isEmpty()) {
            return known.get();
        }
        if (full.isEmpty() && id.isPresent()) {
            var place = Fields.find(node, "group_path", "path")
                    .map(Places::clean)
                    .map(name -> store.onlyOne(event.tx(), event.connection(), name)
                            .orElse("%s (%s)".formatted(name, id.get())))
                    .orElse(id.get());
            return at(event.tx(), event.connection(), place, id.get(), at);
        }
        var path = full.or(() -> Fields.find(node, "group_path", "path", "group_name", "name"));
        return at(event.tx(), event.connection(), path.orElse(UNKNOWN), id.orElse(null), at);
    }

    /** A namespace moves when something newer than all that is known of it says so. */
    Namespace at(Tx tx, ConnectionId connection, String path, @Nullable String externalId, Instant at) {
        var clean = clean(path);
        if (externalId != null) {
            var known = store.find(tx, connection, externalId);
            if (known.isPresent()
                    && (known.get().path().equals(clean)
                            || store.lastChange(tx, known.get().id())
                                    .filter(at::isBefore)
                                    .isPresent())) {
                return known.get();
            }
        }
        return namespaces.at(tx, connection, clean, externalId);
    }

    /** With all that is known to be below it. */
    void delete(Event event, String externalId) {
        var tx = event.tx();
        store.setGone(tx, event.connection(), externalId);
        store.find(tx, event.connection(), externalId).ifPresent(namespace -> {
            store.setGone(tx, event.connection(), namespaces.within(tx, namespace.id()));
            namespaces.delete(tx, namespace.id());
        });
    }

    private static String clean(String path) {
        var clean = Arrays.stream(path.split("/", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("/"));
        boolean fits = !clean.isEmpty() && clean.length() <= LONGEST && clean.split("/", -1).length <= DEEPEST;
        return fits ? clean : UNKNOWN;
    }

    /** {@code https://gitlab.example/groups/a/b/-/epics/1} is in {@code a/b}. */
    static Optional<String> pathOf(String url) {
        try {
            var path = Optional.ofNullable(URI.create(url).getPath()).orElse("");
            int end = path.indexOf("/-/");
            var place = (end < 0 ? path : path.substring(0, end))
                    .replaceFirst("^/+(groups/)?", "")
                    .replaceFirst("\\.git$", "");
            return place.isBlank() ? Optional.empty() : Optional.of(place);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
