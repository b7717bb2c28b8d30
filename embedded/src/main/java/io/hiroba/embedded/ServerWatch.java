package io.hiroba.embedded;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server again whenever its process has ended although nobody stopped it. The waits between attempts double, and a server that
 * ends or does not start again and again is given up.
 */
final class ServerWatch implements Runnable {
    static final int MAX_ATTEMPTS = 9;

    private static final Logger log = LoggerFactory.getLogger(ServerWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);

    /** A server that ran for so long after an attempt counts as mended. */
    private static final Duration STEADY = Duration.ofMinutes(5);

    private final Server server;
    private final Runnable givenUp;
    private final Duration firstDelay;

    /** The server that is watched. */
    interface Server {
        /** Nobody wants it any more. */
        boolean isClosed();

        boolean isAlive();

        void restart() throws IOException;
    }

    ServerWatch(Server server, Runnable givenUp) {
        this(server, givenUp, FIRST_DELAY);
    }

    ServerWatch(Server server, Runnable givenUp, Duration firstDelay) {
        this.server = server;
        this.givenUp = givenUp;
        this.firstDelay = firstDelay;
    }

    @Override
    public void run() {
        int attempts = 0;
        long tried = System.nanoTime();
        while (!server.isClosed()) {
            if (server.isAlive()) {
                attempts = System.nanoTime() - tried > STEADY.toNanos() ? 0 : attempts;
                sleep(INTERVAL);
                continue;
            }
            if (attempts == MAX_ATTEMPTS) {
                log.error("The database has ended or not started {} times in a row: it is given up", attempts);
                givenUp.run();
                return;
            }
            sleep(attempts == 0 ? Duration.ZERO : delay(attempts));
            attempts++;
            restart();
            tried = System.nanoTime();
        }
    }

    private void restart() {
        try {
            server.restart();
        } catch (IOException | RuntimeException e) {
            log.warn("The database has ended and cannot be started again: {}", e.getMessage());
        }
    }

    private Duration delay(int attempts) {
        var delay = firstDelay.multipliedBy(1L << (attempts - 1));
        return delay.compareTo(MAX_DELAY) < 0 ? delay : MAX_DELAY;
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedException("Interrupted while watching the database.", e);
        }
    }
}
