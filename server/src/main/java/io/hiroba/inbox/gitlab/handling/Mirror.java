package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.Details;
import io.hiroba.inbox.resources.Mirrored;
import io.hiroba.inbox.resources.Namespace;
import io.hiroba.inbox.resources.Resource;
import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.inbox.resources.Resources;
import io.hiroba.inbox.resources.Told;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Mirrors what payloads describe, and so holds it locked: the events of one resource are handled one by one. */
final class Mirror {

    private static final Set<String> WORK_ITEMS = Set.of(
            "issue", "task", "incident", "epic", "objective", "key_result", "test_case", "requirement", "ticket");
    private static final int LONGEST_EXCERPT = 200;

    private final Resources resources;
    private final Places places;
    private final MirrorStore store = new MirrorStore();

    Mirror(Resources resources, Places places) {
        this.resources = resources;
        this.places = places;
    }

    /** An issue or another work item. */
    Mirrored issue(Event event, JsonNode node, String id, @Nullable String url) {
        var at = event.at(node);
        var type = Fields.find(node, "type", "issue_type", "work_item_type")
                .map(Mirror::workItem)
                .or(() -> store.workItemType(event.tx(), event.connection(), id))
                .orElse("issue");
        var details = new Details.Issue(Fields.number(node, "iid").orElse(null), type);
        return resources.mirror(event.tx(), told(event, node, id, url, at, details));
    }

    private static String workItem(String type) {
        var name = type.strip().toLowerCase(Locale.ROOT).replaceAll("[\\s-]+", "_");
        return WORK_ITEMS.contains(name) ? name : name.contains("service_desk") ? "ticket" : "issue";
    }

    /** Epics have numbers of their own, which issues have too. */
    static String workItemId(String kind, String number) {
        return kind.equals("epic") ? "epic:" + number : number;
    }

    Mirrored mergeRequest(Event event, JsonNode node, String id, @Nullable String url) {
        return mergeRequest(event, node, id, url, event.at(node));
    }

    /** @param at by what it is weighed against what else is told of it */
    Mirrored mergeRequest(Event event, JsonNode node, String id, @Nullable String url, Instant at) {
        var details = new Details.MergeRequest(
                Fields.number(node, "iid").orElse(null),
                Fields.flag(node, "draft") || Fields.flag(node, "work_in_progress"),
                Fields.find(node, "detailed_merge_status", "merge_status")
                        .map(status -> status.substring(0, Math.min(50, status.length())))
                        .orElse(null));
        return resources.mirror(event.tx(), told(event, node, id, url, at, details));
    }

    private Told told(Event event, JsonNode node, String id, @Nullable String url, Instant at, Details details) {
        return new Told(
                event.connection(),
                places.of(event, at).id(),
                id,
                Fields.text(node, "title"),
                Fields.find(node, "url", "web_url").orElse(url),
                state(node),
                at,
                details);
    }

    static String state(JsonNode node) {
        return Fields.find(node, "state").orElseGet(() -> switch (Fields.text(node, "state_id")) {
            case "2" -> "closed";
            case "3" -> "merged";
            case "4" -> "locked";
            default -> "opened";
        });
    }

    /** @param target what it is a comment on, if that is mirrored */
    Mirrored note(Event event, JsonNode node, String id, @Nullable ResourceId target) {
        var at = event.at(node);
        return resources.mirror(
                event.tx(),
                new Told(
                        event.connection(),
                        places.of(event, at).id(),
                        id,
                        excerpt(Fields.text(node, "note")),
                        Fields.find(node, "url").orElse(null),
                        "opened",
                        at,
                        new Details.Note(target)));
    }

    /** The first line that says something. */
    private static String excerpt(String text) {
        var line = text.lines()
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .findFirst()
                .orElse("");
        return line.codePointCount(0, line.length()) <= LONGEST_EXCERPT
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST_EXCERPT)) + "…";
    }

    static Instant commitTime(Event event, JsonNode node) {
        return Fields.time(node, "timestamp", "finished_at", "created_at").orElse(event.receivedAt());
    }

    Mirrored commit(Event event, JsonNode node, String sha, @Nullable String ref) {
        var at = commitTime(event, node);
        var project = Places.projectId(event).map(String::valueOf).orElse("0");
        var message = Fields.text(node, "message");
        var url = Fields.find(node, "url")
                .or(() -> Fields.find(event.root().path("project"), "web_url").map(web -> web + "/-/commit/" + sha));
        var branch = ref == null ? null : ref.substring(0, Math.min(500, ref.length()));
        return resources.mirror(
                event.tx(),
                new Told(
                        event.connection(),
                        places.of(event, at).id(),
                        project + ":" + sha,
                        Fields.find(node, "title").orElseGet(() -> excerpt(message)),
                        url.orElse(null),
                        "pushed",
                        at,
                        new Details.Commit(sha.substring(0, Math.min(64, sha.length())), branch)));
    }

    /** The namespace itself, as something that items are about. */
    Resource group(Event event, Namespace namespace, @Nullable String url) {
        return resources
                .mirror(
                        event.tx(),
                        new Told(
                                event.connection(),
                                namespace.id(),
                                namespace.id().hex(),
                                namespace.path(),
                                url,
                                "opened",
                                Instant.EPOCH,
                                new Details.Group(namespace.id())))
                .resource();
    }

    /**
     * What a comment or a reaction is about, as far as it is mirrored.
     *
     * @param url of the comment; without what is behind # it leads to what it is a comment on
     */
    Optional<Resource> target(Event event, @Nullable String url) {
        var root = event.root();
        var page = url == null ? null : url.replaceFirst("#.*", "");
        for (var name : new String[] {"issue", "work_item", "epic"}) {
            var id = Fields.find(root.path(name), "id");
            if (id.isPresent()) {
                return Optional.of(issue(event, root.path(name), workItemId(name, id.get()), page)
                        .resource());
            }
        }
        var request = Fields.find(root.path("merge_request"), "id");
        if (request.isPresent()) {
            return Optional.of(mergeRequest(event, root.path("merge_request"), request.get(), page)
                    .resource());
        }
        var sha = Fields.find(root.path("commit"), "id");
        return sha.map(id -> commit(event, root.path("commit"), id, null).resource());
    }
}
