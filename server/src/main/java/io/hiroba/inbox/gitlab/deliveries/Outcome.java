package io.hiroba.inbox.gitlab.deliveries;

/** What became of a delivery: it was handled, or it was of no use here. */
public sealed interface Outcome {

    String text();

    record Handled(String text) implements Outcome {}

    record Ignored(String text) implements Outcome {}

    static Outcome handled(String text) {
        return new Handled(text);
    }

    static Outcome ignored(String text) {
        return new Ignored(text);
    }
}
