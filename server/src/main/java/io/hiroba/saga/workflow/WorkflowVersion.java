package io.hiroba.saga.workflow;

import java.time.Instant;

/**
 * A registered version of a workflow.
 *
 * @param enabled whether sagas may be started; the same for all versions
 * @param createdBy the id of the user; {@code hiroba} for built-in ones, {@code folder} for those loaded at the start
 */
public record WorkflowVersion(
        String name, int version, boolean enabled, WorkflowFormat format, String createdBy, Instant createdAt) {}
