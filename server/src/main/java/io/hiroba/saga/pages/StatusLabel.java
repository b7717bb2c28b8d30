package io.hiroba.saga.pages;

import io.hiroba.saga.SagaStatus;

/**
 * The label of a saga's status with an icon, since not everybody sees colours.
 *
 * @param word the name of its style
 */
public record StatusLabel(String word, String label, String icon) {

    /** @param running whether a node works on it right now */
    static StatusLabel of(SagaStatus status, boolean stuck, boolean running) {
        if (stuck) {
            return new StatusLabel("stuck", "Needs attention", "alert");
        }
        return switch (status) {
            case STARTED, RUNNING ->
                running
                        ? new StatusLabel("running", "Running", "flow")
                        : new StatusLabel("waiting", "Waiting", "clock");
            case COMPLETED -> new StatusLabel("completed", "Completed", "check");
            case COMPENSATING -> new StatusLabel("compensating", "Being undone", "reply");
            case FAILED -> new StatusLabel("failed", "Failed", "alert");
            case CANCELLED -> new StatusLabel("cancelled", "Cancelled", "block");
        };
    }
}
