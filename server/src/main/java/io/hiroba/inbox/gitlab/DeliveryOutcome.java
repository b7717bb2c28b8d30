package io.hiroba.inbox.gitlab;

/** The outcome of a delivery: it was handled, or ignored. */
sealed interface DeliveryOutcome {

    String text();

    record Handled(String text) implements DeliveryOutcome {}

    record Ignored(String text) implements DeliveryOutcome {}

    static DeliveryOutcome handled(String text) {
        return new Handled(text);
    }

    static DeliveryOutcome ignored(String text) {
        return new Ignored(text);
    }
}
