package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.gitlab.deliveries.Outcome;
import io.hiroba.inbox.resources.Resource;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Pipelines and their jobs: both tell how a pipeline stands. */
final class PipelineEvents {

    private final Persons persons;
    private final Mirror mirror;
    private final Pipelines pipelines;

    PipelineEvents(Persons persons, Mirror mirror, Pipelines pipelines) {
        this.persons = persons;
        this.mirror = mirror;
        this.pipelines = pipelines;
    }

    Outcome pipeline(Event event) {
        var attributes = event.attributes();
        var number = Fields.number(attributes, "id");
        var sha =
                Fields.find(attributes, "sha").or(() -> Fields.find(event.root().path("commit"), "id"));
        var request = event.root().path("merge_request");
        var requestId = Fields.find(request, "id");
        if (number.isEmpty() || (sha.isEmpty() && requestId.isEmpty())) {
            return Outcome.ignored("It does not say which pipeline it is about.");
        }
        var ref = Fields.text(attributes, "ref");
        var lane = requestId.map(id -> "request " + id).orElseGet(() -> lane(event, ref));
        pipelines.enter(event);
        var resource = requestId
                .map(id -> request(event, request, id, number.get()))
                .orElseGet(() -> commit(event, event.root().path("commit"), sha.orElseThrow(), ref));
        var status = Fields.text(attributes, "status");
        var ended = Fields.time(attributes, "finished_at", "updated_at", "created_at")
                .orElse(event.receivedAt());
        pipelines.take(
                event,
                new Pipelines.Run(number.get(), resource, lane, persons.actor(event), verdict(status), ended, true));
        return Outcome.handled("Pipeline %d: %s".formatted(number.get(), status));
    }

    /** A job that may not fail but does fails its pipeline. */
    Outcome job(Event event) {
        var root = event.root();
        var commit = root.path("commit");
        var number = Fields.number(root, "pipeline_id").or(() -> Fields.number(commit, "id"));
        var sha = Fields.find(root, "sha").or(() -> Fields.find(commit, "sha"));
        if (number.isEmpty() || sha.isEmpty()) {
            return Outcome.ignored("It does not say which pipeline it is about.");
        }
        var status = Fields.text(root, "build_status");
        boolean failed = status.equals("failed") && !Fields.flag(root, "build_allow_failure");
        var whole = verdict(Fields.text(commit, "status"));
        if (!failed && whole.isEmpty()) {
            return Outcome.handled("Job %s: %s".formatted(Fields.text(root, "build_id"), status));
        }
        var ended = whole.isPresent()
                ? Fields.time(commit, "finished_at", "finished_at_iso")
                        .or(() -> Fields.time(root, "build_finished_at", "build_finished_at_iso"))
                : Fields.time(root, "build_finished_at", "build_finished_at_iso");
        var ref = Fields.text(root, "ref");
        var lane = lane(event, ref);
        pipelines.enter(event);
        var resource = commit(event, commit, sha.get(), ref);
        pipelines.take(
                event,
                new Pipelines.Run(
                        number.get(),
                        resource,
                        lane,
                        persons.actor(event),
                        whole.isPresent() ? whole : Optional.of(false),
                        ended.or(() -> Fields.time(root, "build_created_at")).orElse(event.receivedAt()),
                        false));
        return Outcome.handled("Job %s: %s".formatted(Fields.text(root, "build_id"), status));
    }

    private static String lane(Event event, String ref) {
        var project = Places.projectId(event).map(String::valueOf).orElse("0");
        return "branch %s %s".formatted(project, ref.substring(0, Math.min(500, ref.length())));
    }

    /** Little is said of it here: whatever its own events say goes before that. */
    private Resource request(Event event, JsonNode node, String id, long pipeline) {
        return mirror.mergeRequest(event, node, id, null, Instant.ofEpochMilli(Math.clamp(pipeline, 0, 1L << 40)))
                .resource();
    }

    private Resource commit(Event event, JsonNode node, String sha, String ref) {
        return mirror.commit(event, node, sha, ref.isEmpty() ? null : ref).resource();
    }

    private static Optional<Boolean> verdict(String status) {
        return switch (status) {
            case "success" -> Optional.of(true);
            case "failed" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
