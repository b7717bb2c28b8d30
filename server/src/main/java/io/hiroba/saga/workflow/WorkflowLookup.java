package io.hiroba.saga.workflow;

import java.util.Optional;

/** Finds the workflow of a saga for the engine. */
@FunctionalInterface
public interface WorkflowLookup {

    /** The version that a saga started with; empty if it is gone or cannot be read any more. */
    Optional<Workflow> find(String name, int version);
}
