package io.hiroba.saga.pages;

import io.hiroba.saga.SagaStatus;

/**
 * Where a saga stands, in a word and with an icon, since colour alone tells not everybody.
 *
 * @param word the name of its style
 */
public record Standing(String word, String label, String icon) {

    /** @param running whether a node works on it right now */
    static Standing of(SagaStatus status, boolean stuck, boolean running) {
        if (stuck) {
            return new Standing("stuck", "Stuck", "alert");
        }
        return switch (status) {
            case STARTED, RUNNING ->
                running ? new Standing("running", "Running", "flow") : new Standing("waiting", "Waiting", "clock");
            case COMPLETED -> new Standing("completed", "Completed", "check");
            case COMPENSATING -> new Standing("compensating", "Being undone", "reply");
            case FAILED -> new Standing("failed", "Failed", "alert");
            case CANCELLED -> new Standing("cancelled", "Cancelled", "block");
        };
    }
}
