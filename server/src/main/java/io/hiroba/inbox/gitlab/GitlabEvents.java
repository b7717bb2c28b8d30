package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses webhook calls and hands each to the handler of its kind. Unknown kinds are ignored, and
 * counted.
 */
final class GitlabEvents implements DeliveryWorker.Handler {

    /** Handles one kind of event. */
    @FunctionalInterface
    interface Handler {

        DeliveryOutcome handle(GitlabEvent event);
    }

    private final GitlabNamespaces namespaces;
    private final Map<String, Handler> handlers = new HashMap<>();

    GitlabEvents(Fanout fanout) {
        namespaces = new GitlabNamespaces(fanout.namespaces());
        var people = new GitlabPeople(fanout.people());
        var mirror = new GitlabMirror(fanout.resources(), namespaces);
        var recipients = new Recipients(people, fanout);
        var pipelines = new PipelineEvents(people, mirror, new Pipelines(fanout));
        put(new IssueEvents(people, mirror, recipients, fanout), "issue", "work_item", "epic");
        put(new NoteEvents(people, mirror, fanout), "note");
        put(new MergeRequestEvents(people, mirror, recipients, fanout), "merge_request");
        put(pipelines::pipeline, "pipeline");
        put(pipelines::job, "build", "job");
        put(new PushEvents(people, mirror, recipients), "push");
        put(new EmojiEvents(people, mirror, fanout.resolver()), "emoji");
        put(new AccessTokenEvents(namespaces, mirror, recipients), "access_token");
        put(new SshKeyEvents(namespaces, fanout.resources()), "key_create", "key_destroy");
        put(
                new MemberEvents(people, namespaces, mirror, recipients, fanout),
                "user_add_to_group",
                "user_update_for_group",
                "user_remove_from_group",
                "user_access_request_to_group",
                "user_access_request_denied_for_group",
                "user_access_request_revoked_for_group",
                "user_add_to_team",
                "user_update_for_team",
                "user_remove_from_team",
                "user_access_request_to_project",
                "user_access_request_denied_for_project",
                "user_access_request_revoked_for_project");
        put(event -> renamed(people, event), "user_rename");
        put(
                new NamespaceEvents(namespaces),
                "project_create",
                "project_destroy",
                "project_rename",
                "project_transfer",
                "project_update",
                "subgroup_create",
                "subgroup_destroy",
                "group_create",
                "group_destroy",
                "group_rename");
    }

    /** Whoever takes a name over is somebody else. */
    private static DeliveryOutcome renamed(GitlabPeople people, GitlabEvent event) {
        return people.renamed(event)
                .map(person -> DeliveryOutcome.handled(
                        Text.of("inbox.outcome.renamed", "name", JsonFields.text(event.root(), "username"))))
                .orElseGet(() -> DeliveryOutcome.ignored(Text.of("inbox.outcome.member-without-id")));
    }

    private void put(Handler handler, String... kinds) {
        List.of(kinds).forEach(kind -> handlers.put(kind, handler));
    }

    @Override
    public DeliveryOutcome handle(Tx tx, DeliveryWorker.Call call) {
        var root = WebhookPayload.read(call.payload());
        var kind = kind(call.event());
        var handler = handlers.get(kind);
        if (handler == null) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.unknown-kind"));
        }
        var event = new GitlabEvent(tx, call.connection(), kind, root, call.receivedAt());
        return namespaces.isDeleted(event) && !kind.endsWith("_destroy")
                ? DeliveryOutcome.ignored(Text.of("inbox.outcome.namespace-gone"))
                : handler.handle(event);
    }

    /** Normalises the kind of the header, such as {@code confidential_issue_hook}, to that of the body. */
    private static String kind(String event) {
        var kind = event.replaceFirst("^confidential_", "").replaceFirst("_hook$", "");
        return kind.equals("merge_requests") ? "merge_request" : kind;
    }
}
