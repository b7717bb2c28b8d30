package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.Namespace;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceId;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceMirror.UpsertResult;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Mirrors the resources of payloads and locks them: the events of one resource are handled one by one. */
final class GitlabMirror {

    private static final Set<String> WORK_ITEMS = Set.of(
            "issue", "task", "incident", "epic", "objective", "key_result", "test_case", "requirement", "ticket");
    private static final int MAX_EXCERPT_LENGTH = 200;
    private static final int MAX_DESCRIPTION_LENGTH = 10_000;

    private final ResourceMirror resources;
    private final GitlabNamespaces namespaces;
    private final GitlabMirrorStore store = new GitlabMirrorStore();

    GitlabMirror(ResourceMirror resources, GitlabNamespaces namespaces) {
        this.resources = resources;
        this.namespaces = namespaces;
    }

    /** An issue or another work item. */
    UpsertResult issue(GitlabEvent event, JsonNode node, String id, @Nullable String url) {
        var at = event.at(node);
        var type = JsonFields.find(node, "type", "issue_type", "work_item_type")
                .map(GitlabMirror::workItem)
                .or(() -> store.workItemType(event.tx(), event.connection(), id))
                .orElse("issue");
        var details = new ResourceDetails.Issue(JsonFields.number(node, "iid").orElse(null), type);
        return described(event, node, resources.upsert(event.tx(), snapshot(event, node, id, url, at, details)));
    }

    /** Keeps the description with the resource, unless a later one is known; not every payload has it. */
    private UpsertResult described(GitlabEvent event, JsonNode node, UpsertResult result) {
        if (result.newest() && node.has("description")) {
            var text = JsonFields.rawText(node, "description").strip();
            int length = Math.min(MAX_DESCRIPTION_LENGTH, text.codePointCount(0, text.length()));
            store.describe(event.tx(), result.resource().id(), text.substring(0, text.offsetByCodePoints(0, length)));
        }
        return result;
    }

    private static String workItem(String type) {
        var name = type.strip().toLowerCase(Locale.ROOT).replaceAll("[\\s-]+", "_");
        return WORK_ITEMS.contains(name) ? name : name.contains("service_desk") ? "ticket" : "issue";
    }

    /** Epics are numbered separately from issues, so their ids get a prefix. */
    static String workItemId(String kind, String number) {
        return kind.equals("epic") ? "epic:" + number : number;
    }

    UpsertResult mergeRequest(GitlabEvent event, JsonNode node, String id, @Nullable String url) {
        return mergeRequest(event, node, id, url, event.at(node));
    }

    /** @param at the time of the snapshot; older snapshots are ignored */
    UpsertResult mergeRequest(GitlabEvent event, JsonNode node, String id, @Nullable String url, Instant at) {
        var details = new ResourceDetails.MergeRequest(
                JsonFields.number(node, "iid").orElse(null),
                JsonFields.flag(node, "draft") || JsonFields.flag(node, "work_in_progress"),
                JsonFields.find(node, "detailed_merge_status", "merge_status")
                        .map(status -> status.substring(0, Math.min(50, status.length())))
                        .orElse(null));
        return described(event, node, resources.upsert(event.tx(), snapshot(event, node, id, url, at, details)));
    }

    private ResourceSnapshot snapshot(
            GitlabEvent event, JsonNode node, String id, @Nullable String url, Instant at, ResourceDetails details) {
        return new ResourceSnapshot(
                event.connection(),
                namespaces.of(event, at).id(),
                id,
                JsonFields.text(node, "title"),
                JsonFields.find(node, "url", "web_url").orElse(url),
                state(node),
                at,
                details);
    }

    static String state(JsonNode node) {
        return JsonFields.find(node, "state").orElseGet(() -> switch (JsonFields.text(node, "state_id")) {
            case "2" -> "closed";
            case "3" -> "merged";
            case "4" -> "locked";
            default -> "opened";
        });
    }

    /** @param target the resource that it is on, if that is mirrored */
    UpsertResult note(GitlabEvent event, JsonNode node, String id, @Nullable ResourceId target) {
        var at = event.at(node);
        return resources.upsert(
                event.tx(),
                new ResourceSnapshot(
                        event.connection(),
                        namespaces.of(event, at).id(),
                        id,
                        excerpt(JsonFields.text(node, "note")),
                        JsonFields.find(node, "url").orElse(null),
                        "opened",
                        at,
                        new ResourceDetails.Note(target)));
    }

    /** The first line that is not blank, shortened. */
    private static String excerpt(String text) {
        var line = text.lines()
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .findFirst()
                .orElse("");
        return line.codePointCount(0, line.length()) <= MAX_EXCERPT_LENGTH
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_EXCERPT_LENGTH)) + "…";
    }

    static Instant commitTime(GitlabEvent event, JsonNode node) {
        return event.time(node, "timestamp", "finished_at", "created_at").orElse(event.receivedAt());
    }

    UpsertResult commit(GitlabEvent event, JsonNode node, String sha, @Nullable String ref) {
        var at = commitTime(event, node);
        var project = GitlabNamespaces.projectId(event).map(String::valueOf).orElse("0");
        var message = JsonFields.text(node, "message");
        var url = JsonFields.find(node, "url")
                .or(() ->
                        JsonFields.find(event.root().path("project"), "web_url").map(web -> web + "/-/commit/" + sha));
        var branch = ref == null ? null : ref.substring(0, Math.min(500, ref.length()));
        return resources.upsert(
                event.tx(),
                new ResourceSnapshot(
                        event.connection(),
                        namespaces.of(event, at).id(),
                        project + ":" + sha,
                        JsonFields.find(node, "title").orElseGet(() -> excerpt(message)),
                        url.orElse(null),
                        "pushed",
                        at,
                        new ResourceDetails.Commit(sha.substring(0, Math.min(64, sha.length())), branch)));
    }

    /** The namespace itself as a resource, for items about it. */
    Resource group(GitlabEvent event, Namespace namespace, @Nullable String url) {
        return resources
                .upsert(
                        event.tx(),
                        new ResourceSnapshot(
                                event.connection(),
                                namespace.id(),
                                namespace.id().hex(),
                                namespace.path(),
                                url,
                                "opened",
                                Instant.EPOCH,
                                new ResourceDetails.Group(namespace.id())))
                .resource();
    }

    /**
     * Mirrors the target of a comment or a reaction.
     *
     * @param url of the comment; without its fragment it is that of the target
     */
    Optional<Resource> target(GitlabEvent event, @Nullable String url) {
        var root = event.root();
        var page = url == null ? null : url.replaceFirst("#.*", "");
        for (var name : new String[] {"issue", "work_item", "epic"}) {
            var id = JsonFields.id(root.path(name));
            if (id.isPresent()) {
                return Optional.of(issue(event, root.path(name), workItemId(name, id.get()), page)
                        .resource());
            }
        }
        var request = JsonFields.id(root.path("merge_request"));
        if (request.isPresent()) {
            return Optional.of(mergeRequest(event, root.path("merge_request"), request.get(), page)
                    .resource());
        }
        var sha = JsonFields.id(root.path("commit"));
        return sha.map(id -> commit(event, root.path("commit"), id, null).resource());
    }
}
