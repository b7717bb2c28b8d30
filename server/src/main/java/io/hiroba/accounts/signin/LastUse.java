package io.hiroba.accounts.signin;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down when a secret was last used: at most once a minute, and beside the request instead of within it. A stamp
 * that is lost in a crash is made good by the next use.
 */
final class LastUse {

    private static final Logger log = LoggerFactory.getLogger(LastUse.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

    /** Whether it is time to write it down, which then happens beside. */
    boolean note(long id, Instant before, Instant now, Runnable stamp) {
        if (Duration.between(before, now).compareTo(PAUSE) < 0 || !underWay.add(id)) {
            return false;
        }
        Thread.ofVirtual().name("last use").start(() -> run(id, stamp));
        return true;
    }

    private void run(long id, Runnable stamp) {
        try {
            stamp.run();
        } catch (RuntimeException e) {
            log.debug("the last use was not noted", e);
        } finally {
            underWay.remove(id);
        }
    }
}
