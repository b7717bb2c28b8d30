package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.Resource;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Handles pipelines and their jobs. */
final class PipelineEvents {

    private final GitlabPeople people;
    private final GitlabMirror mirror;
    private final Pipelines pipelines;

    PipelineEvents(GitlabPeople people, GitlabMirror mirror, Pipelines pipelines) {
        this.people = people;
        this.mirror = mirror;
        this.pipelines = pipelines;
    }

    DeliveryOutcome pipeline(GitlabEvent event) {
        var attributes = event.attributes();
        var number = JsonFields.number(attributes, "id");
        var sha = JsonFields.find(attributes, "sha")
                .or(() -> JsonFields.id(event.root().path("commit")));
        var request = event.root().path("merge_request");
        var requestId = JsonFields.id(request);
        if (number.isEmpty() || (sha.isEmpty() && requestId.isEmpty())) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.pipeline-without-id"));
        }
        var ref = JsonFields.text(attributes, "ref");
        var lane = requestId
                .map(id -> "request " + id)
                .orElseGet(() -> lane(event, JsonFields.flag(attributes, "tag"), ref));
        pipelines.lockProject(event);
        var resource = requestId
                .map(id -> request(event, request, id, number.get()))
                .orElseGet(() -> commit(event, event.root().path("commit"), sha.orElseThrow(), ref));
        var status = JsonFields.text(attributes, "status");
        var ended = event.time(attributes, "finished_at", "updated_at", "created_at")
                .orElse(event.receivedAt());
        pipelines.update(
                event,
                new Pipelines.Run(
                        number.get(),
                        resource,
                        lane,
                        people.actor(event),
                        succeeded(status),
                        ended,
                        true,
                        isChild(event)));
        return DeliveryOutcome.handled(
                Text.of("inbox.outcome.pipeline", "id", Long.toString(number.get()), "status", status));
    }

    /** A failed job fails its pipeline unless it is allowed to fail. */
    DeliveryOutcome job(GitlabEvent event) {
        var root = event.root();
        var commit = root.path("commit");
        var number = JsonFields.number(root, "pipeline_id").or(() -> JsonFields.number(commit, "id"));
        var sha = JsonFields.find(root, "sha").or(() -> JsonFields.find(commit, "sha"));
        if (number.isEmpty() || sha.isEmpty()) {
            return DeliveryOutcome.ignored(Text.of("inbox.outcome.pipeline-without-id"));
        }
        var status = JsonFields.text(root, "build_status");
        boolean failed = status.equals("failed") && !JsonFields.flag(root, "build_allow_failure");
        var pipelineResult = succeeded(JsonFields.text(commit, "status"));
        if (!failed && pipelineResult.isEmpty()) {
            return handledJob(root, status);
        }
        var ended = pipelineResult.isPresent()
                ? event.time(commit, "finished_at", "finished_at_iso")
                        .or(() -> event.time(root, "build_finished_at", "build_finished_at_iso"))
                : event.time(root, "build_finished_at", "build_finished_at_iso");
        var ref = JsonFields.text(root, "ref");
        var lane = lane(event, JsonFields.flag(root, "tag"), ref);
        pipelines.lockProject(event);
        var resource = commit(event, commit, sha.get(), ref);
        pipelines.update(
                event,
                new Pipelines.Run(
                        number.get(),
                        resource,
                        lane,
                        people.actor(event),
                        pipelineResult.isPresent() ? pipelineResult : Optional.of(false),
                        ended.or(() -> event.time(root, "build_created_at")).orElse(event.receivedAt()),
                        false,
                        isChild(event)));
        return handledJob(root, status);
    }

    private static DeliveryOutcome handledJob(JsonNode root, String status) {
        return DeliveryOutcome.handled(
                Text.of("inbox.outcome.job", "id", JsonFields.text(root, "build_id"), "status", status));
    }

    /** Whether it is a part of another pipeline of the project. */
    private static boolean isChild(GitlabEvent event) {
        var source = JsonFields.find(event.attributes(), "source");
        var project = event.root().path("source_pipeline").path("project");
        return source.map("parent_pipeline"::equals)
                .orElseGet(() -> JsonFields.number(project, "id").isPresent()
                        && JsonFields.number(project, "id").equals(GitlabNamespaces.projectId(event)));
    }

    private static String lane(GitlabEvent event, boolean isTag, String ref) {
        var project = GitlabNamespaces.projectId(event).map(String::valueOf).orElse("0");
        return "%s %s %s".formatted(isTag ? "tag" : "branch", project, ref.substring(0, Math.min(500, ref.length())));
    }

    /** The payload has few of its fields, so it is dated before all events of the merge request itself. */
    private Resource request(GitlabEvent event, JsonNode node, String id, long pipeline) {
        return mirror.mergeRequest(event, node, id, null, Instant.ofEpochMilli(Math.clamp(pipeline, 0, 1L << 40)))
                .resource();
    }

    private Resource commit(GitlabEvent event, JsonNode node, String sha, String ref) {
        return mirror.commit(event, node, sha, ref.isEmpty() ? null : ref).resource();
    }

    private static Optional<Boolean> succeeded(String status) {
        return switch (status) {
            case "success" -> Optional.of(true);
            case "failed" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
