package io.hiroba.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Sends a request again that failed for now. */
final class Retry {

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration MAX = Duration.ofSeconds(15);
    private static final int ATTEMPTS = 6;

    private Retry() {}

    /** The first answer; a failure that does not pass is thrown at once, and any after six attempts. */
    static <T> T of(Supplier<T> request) {
        for (int attempt = 1; ; attempt++) {
            try {
                return request.get();
            } catch (HirobaException e) {
                if (!e.isTransient()
                        || attempt == ATTEMPTS
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                pause(attempt);
            }
        }
    }

    /** The longer the more attempts have failed, and never the same for two clients. */
    static void pause(int attempt) {
        long millis = Math.min(MAX.toMillis(), FIRST.toMillis() << Math.min(attempt - 1, 10));
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
