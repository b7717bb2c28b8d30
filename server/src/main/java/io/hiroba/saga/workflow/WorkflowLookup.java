package io.hiroba.saga.workflow;

import java.util.Optional;

/** Where the engine finds what a saga has to do. */
@FunctionalInterface
public interface WorkflowLookup {

    /** The version that a saga started with; empty if it is gone or cannot be read any more. */
    Optional<Workflow> find(String name, int version);
}
