package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.sources.Source.Status;

/**
 * How far a source is, as a badge says it.
 *
 * @param word the class that colours it
 * @param isRunning whether it will change by itself
 */
public record Standing(String word, String label, String icon, boolean isRunning) {

    static Standing of(Status status) {
        return switch (status) {
            case PENDING -> new Standing("waiting", "Waiting", "clock", true);
            case PROCESSING -> new Standing("running", "Embedding", "flow", true);
            case COMPLETED -> new Standing("completed", "Ready", "check", false);
            case PARTIAL -> new Standing("partial", "Partly ready", "alert", false);
            case FAILED -> new Standing("failed", "Failed", "alert", false);
        };
    }
}
