package io.hiroba.accounts.signin;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down when a secret was last used: at most once a minute, and beside the request instead of within it. A stamp
 * that fails or is lost in a crash is made good by the next use.
 */
final class LastUse {

    private static final Logger log = LoggerFactory.getLogger(LastUse.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MOST = 100_000;

    /** What this node wrote or is writing: callers may know an older time for a while. */
    private final Cache<Long, Instant> noted =
            Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(PAUSE).build();

    /** Whether it is time to write it down, which then happens beside. */
    boolean note(long id, Instant before, Instant now, Runnable stamp) {
        if (isRecent(before, now) || !isFirst(id, now)) {
            return false;
        }
        Thread.ofVirtual().name("last use").start(() -> run(id, stamp));
        return true;
    }

    private boolean isFirst(long id, Instant now) {
        var first = new AtomicBoolean();
        noted.asMap().compute(id, (key, before) -> {
            boolean recent = before != null && isRecent(before, now);
            first.set(!recent);
            return recent ? before : now;
        });
        return first.get();
    }

    private static boolean isRecent(Instant before, Instant now) {
        return Duration.between(before, now).compareTo(PAUSE) < 0;
    }

    private void run(long id, Runnable stamp) {
        try {
            stamp.run();
        } catch (RuntimeException e) {
            noted.invalidate(id);
            log.debug("the last use was not noted", e);
        }
    }
}
