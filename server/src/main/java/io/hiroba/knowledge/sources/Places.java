package io.hiroba.knowledge.sources;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Lets few documents be read at once: each may take as much memory as a document is allowed to. */
final class Places {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Semaphore places =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors() / 2));

    /** Reads when there is a place, if that is soon. */
    <T> T take(Supplier<T> reading) {
        enter();
        try {
            return reading.get();
        } finally {
            places.release();
        }
    }

    private void enter() {
        try {
            if (places.tryAcquire(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new KnowledgeProblem(
                Problem.Kind.UNAVAILABLE, "busy", "Many documents are being read. Try again shortly.");
    }
}
