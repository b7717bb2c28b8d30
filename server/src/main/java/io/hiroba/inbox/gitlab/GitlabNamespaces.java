package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.platform.db.Tx;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Mirrors the groups and projects of payloads. */
final class GitlabNamespaces {

    private static final String UNKNOWN = "unknown";
    private static final int MAX_PATH_LENGTH = 500;
    private static final int MAX_DEPTH = 20;

    private final Namespaces namespaces;
    private final GitlabMirrorStore store = new GitlabMirrorStore();

    GitlabNamespaces(Namespaces namespaces) {
        this.namespaces = namespaces;
    }

    static Optional<Long> projectId(GitlabEvent event) {
        return JsonFields.number(event.root().path("project"), "id")
                .or(() -> JsonFields.number(event.root(), "project_id"))
                .or(() -> JsonFields.number(event.attributes(), "target_project_id", "project_id"));
    }

    private static Optional<Long> groupId(GitlabEvent event) {
        return JsonFields.number(event.root().path("group"), "group_id", "id")
                .or(() -> JsonFields.number(event.root(), "group_id"));
    }

    /** Whether what it is about was deleted: events that arrive late do not bring it back. */
    boolean isGone(GitlabEvent event) {
        return projectId(event)
                .map(id -> "project:" + id)
                .or(() -> groupId(event).map(id -> "group:" + id))
                .map(id -> store.isGone(event.tx(), event.connection(), id))
                .orElse(false);
    }

    /** Finds the group or project of an event at that time. */
    Namespace of(GitlabEvent event, Instant at) {
        var root = event.root();
        var project = root.path("project");
        var path = JsonFields.find(project, "path_with_namespace")
                .or(() -> JsonFields.find(root, "path_with_namespace", "project_path_with_namespace"))
                .or(() -> JsonFields.find(project, "web_url", "homepage", "http_url")
                        .flatMap(GitlabNamespaces::pathOf))
                .or(() -> JsonFields.find(root.path("repository"), "homepage").flatMap(GitlabNamespaces::pathOf));
        if (path.isPresent()) {
            var id = projectId(event).map(number -> "project:" + number).orElse(null);
            return at(event.tx(), event.connection(), path.get(), id, at);
        }
        var group = root.path("group");
        return group.isObject() || root.has("group_id")
                ? group(event, group.isObject() ? group : root, at)
                : unknown(event, at);
    }

    private Namespace unknown(GitlabEvent event, Instant at) {
        var path = JsonFields.find(event.attributes(), "url").flatMap(GitlabNamespaces::pathOf);
        return at(event.tx(), event.connection(), path.orElse(UNKNOWN), null, at);
    }

    /**
     * A group, whose path may be sent without those above it: its number goes before that. Where its number is new, it is
     * the only one with such a name whose number is not known; otherwise where it stands is not known until it is sent.
     */
    Namespace group(GitlabEvent event, JsonNode node, Instant at) {
        var id = JsonFields.number(node, "group_id", "id").map(number -> "group:" + number);
        var known = id.flatMap(number -> store.find(event.tx(), event.connection(), number));
        var full = JsonFields.find(node, "full_path", "group_full_path", "path_with_namespace");
        if (known.isPresent() && full.isEmpty()) {
            return known.get();
        }
        if (full.isEmpty() && id.isPresent()) {
            var place = JsonFields.find(node, "group_path", "path")
                    .map(GitlabNamespaces::clean)
                    .map(name -> store.onlyOne(event.tx(), event.connection(), name)
                            .orElse("%s (%s)".formatted(name, id.get())))
                    .orElse(id.get());
            return at(event.tx(), event.connection(), place, id.get(), at);
        }
        var path = full.or(() -> JsonFields.find(node, "group_path", "path", "group_name", "name"));
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
    void delete(GitlabEvent event, String externalId) {
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
        boolean fits =
                !clean.isEmpty() && clean.length() <= MAX_PATH_LENGTH && clean.split("/", -1).length <= MAX_DEPTH;
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
