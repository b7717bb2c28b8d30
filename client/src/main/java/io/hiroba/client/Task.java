package io.hiroba.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A step that a worker carries out right now. */
public final class Task {

    private final JsonNode json;
    private volatile @Nullable Object progress;
    private volatile boolean cancelled;

    Task(JsonNode json) {
        this.json = json;
    }

    /** The saga that the step is part of. */
    public String sagaId() {
        return text("sagaId");
    }

    /** The workflow of the saga. */
    public String workflow() {
        return text("workflow");
    }

    /** The name of the step. */
    public String step() {
        return text("step");
    }

    /** The method that is called. */
    public String method() {
        return text("method");
    }

    /** The number of the attempt, from 1 on. */
    public int attempt() {
        return json.path("attempt").asInt();
    }

    /** The same for all attempts at the step: what was done under it is not done again. */
    public String idempotencyKey() {
        return text("idempotencyKey");
    }

    /** When the time of the step is over, whatever is told until then. */
    public Instant deadline() {
        return Instant.parse(text("deadline"));
    }

    /** Tells how far the work is, with the next heartbeat. */
    public void progress(Object value) {
        progress = value;
    }

    /** Whether the saga no longer wants the step: it may stop, by an exception. What was done is undone by the saga. */
    public boolean isCancelled() {
        return cancelled;
    }

    @Nullable
    Object progress() {
        return progress;
    }

    void cancel() {
        cancelled = true;
    }

    String path(String act) {
        return "/api/v1/tasks/" + Api.encoded(text("token")) + "/" + act;
    }

    JsonNode input() {
        return json.path("input");
    }

    double leaseSeconds() {
        return json.path("leaseSeconds").asDouble();
    }

    private String text(String field) {
        return json.path(field).asString("");
    }
}
