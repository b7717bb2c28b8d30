package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaStatus;

/**
 * The label of a saga's status with an icon, since not everybody sees colours.
 *
 * @param word the name of its style
 */
public record StatusLabel(String word, String icon) {

    /** @param running whether a node works on it right now */
    static StatusLabel of(SagaStatus status, boolean stuck, boolean running) {
        if (stuck) {
            return new StatusLabel("stuck", "alert");
        }
        return switch (status) {
            case STARTED, RUNNING -> running ? new StatusLabel("running", "flow") : new StatusLabel("waiting", "clock");
            case COMPLETED -> new StatusLabel("completed", "check");
            case COMPENSATING -> new StatusLabel("compensating", "reply");
            case FAILED -> new StatusLabel("failed", "alert");
            case CANCELLED -> new StatusLabel("cancelled", "block");
        };
    }

    public Text label() {
        return Text.of("saga.status." + word);
    }
}
