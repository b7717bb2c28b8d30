package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaFilter;

/**
 * The label of a saga's status with an icon, since not everybody sees colours.
 *
 * @param word the name of its style
 */
public record StatusLabel(String word, String icon) {

    /** Waiting is what {@link SagaFilter#WAITING} finds: a saga that waits for a signal or an approval. */
    static StatusLabel of(Saga saga) {
        if (saga.stuck()) {
            return new StatusLabel("stuck", "alert");
        }
        return switch (saga.status()) {
            case STARTED, RUNNING ->
                saga.waitingFor() == null ? new StatusLabel("running", "flow") : new StatusLabel("waiting", "clock");
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
