package io.hiroba.saga.workflow;

import java.util.Optional;

/** Finds the workflow of a saga for the engine. */
@FunctionalInterface
public interface WorkflowLookup {

    /** The version that a saga started with; empty if it is deleted or can no longer be read. */
    Optional<Workflow> find(String name, int version);
}
