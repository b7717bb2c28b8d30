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

    /** Whether its project or group was deleted: late events must not create it again. */
    boolean isDeleted(GitlabEvent event) {
        return projectId(event)
                .map(id -> "project:" + id)
                .or(() -> groupId(event).map(id -> "group:" + id))
                .map(id -> store.isDeleted(event.tx(), event.connection(), id))
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
     * Mirrors a group, whose path may be sent without its ancestors: then its id decides, and it is joined with the only path
     * of that name as soon as there is one.
     */
    Namespace group(GitlabEvent event, JsonNode node, Instant at) {
        var number = JsonFields.number(node, "group_id", "id");
        var name = JsonFields.find(node, "group_path", "path", "group_name", "name")
                .map(GitlabNamespaces::clean);
        var full = JsonFields.find(node, "full_path", "group_full_path", "path_with_namespace")
                .or(() -> name.filter(path -> path.contains("/")));
        if (number.isPresent() && full.isEmpty()) {
            var id = number.get().toString();
            return namespaces.named(event.tx(), event.connection(), "group:" + id, name.orElse(id));
        }
        var path = full.or(() -> name).orElse(UNKNOWN);
        return at(
                event.tx(),
                event.connection(),
                path,
                number.map(id -> "group:" + id).orElse(null),
                at);
    }

    /** A namespace moves only on an event newer than all its resources and than the one that put it where it is. */
    Namespace at(Tx tx, ConnectionId connection, String path, @Nullable String externalId, Instant at) {
        var clean = clean(path);
        if (externalId == null) {
            return namespaces.at(tx, connection, clean);
        }
        var known = namespaces
                .placed(tx, connection, externalId)
                .filter(placed -> !placed.namespace().path().equals(clean))
                .filter(placed -> placed.since().filter(at::isBefore).isPresent()
                        || store.lastChange(tx, placed.namespace().id())
                                .filter(at::isBefore)
                                .isPresent());
        return known.map(Namespaces.Placed::namespace)
                .orElseGet(() -> namespaces.at(tx, connection, clean, externalId, at));
    }

    /** Records that a namespace was at a path before it was moved or deleted; what was there without an id is it. */
    void was(GitlabEvent event, String externalId, String path) {
        namespaces.confirm(event.tx(), event.connection(), externalId, clean(path));
    }

    /** Deletes a namespace with its known descendants. */
    void delete(GitlabEvent event, String externalId) {
        var tx = event.tx();
        store.markDeleted(tx, event.connection(), externalId);
        store.find(tx, event.connection(), externalId).ifPresent(namespace -> {
            store.markDeleted(tx, event.connection(), namespaces.within(tx, namespace.id()));
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
            var namespace = (end < 0 ? path : path.substring(0, end))
                    .replaceFirst("^/+(groups/)?", "")
                    .replaceFirst("\\.git$", "");
            return namespace.isBlank() ? Optional.empty() : Optional.of(namespace);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
