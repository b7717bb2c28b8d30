package io.hiroba.inbox.gitlab;

import io.hiroba.platform.i18n.Text;

/** The outcome of a delivery: it was handled, or ignored. */
sealed interface DeliveryOutcome {

    Text text();

    record Handled(Text text) implements DeliveryOutcome {}

    record Ignored(Text text) implements DeliveryOutcome {}

    static DeliveryOutcome handled(Text text) {
        return new Handled(text);
    }

    static DeliveryOutcome ignored(Text text) {
        return new Ignored(text);
    }
}
