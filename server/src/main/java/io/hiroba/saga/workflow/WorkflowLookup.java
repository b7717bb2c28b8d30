package io.hiroba.saga.workflow;

import io.hiroba.platform.db.Reads;
import java.util.Optional;

/** Finds the workflow of a saga for the engine. */
@FunctionalInterface
public interface WorkflowLookup {

    /** The version that a saga started with; empty if it is deleted or can no longer be read. */
    Optional<Workflow> find(String name, int version);

    /** As above, on the caller's connection. */
    default Optional<Workflow> find(Reads reads, String name, int version) {
        return find(name, version);
    }

    /** The version that a saga gets which another one starts; empty if there is none, or it is disabled. */
    default Optional<Workflow> startable(Reads reads, String name) {
        return Optional.empty();
    }
}
