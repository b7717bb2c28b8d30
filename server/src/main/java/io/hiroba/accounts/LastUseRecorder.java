package io.hiroba.accounts;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records when a session or token was last used: at most once a minute, and asynchronously to the request. The next use makes
 * up for a write that fails or is lost in a crash.
 */
final class LastUseRecorder {

    private static final Logger log = LoggerFactory.getLogger(LastUseRecorder.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final int MAX_ENTRIES = 100_000;

    /** The times this node wrote or is writing: cached callers have an older time for a while. */
    private final Cache<Long, Instant> recorded = Caffeine.newBuilder()
            .maximumSize(MAX_ENTRIES)
            .expireAfterWrite(INTERVAL)
            .build();

    /** Starts {@code write} if the last use was not recorded recently; returns whether it did. */
    boolean record(long id, Instant before, Instant now, Runnable write) {
        if (isRecent(before, now) || !isFirst(id, now)) {
            return false;
        }
        Thread.ofVirtual().name("last use").start(() -> run(id, write));
        return true;
    }

    private boolean isFirst(long id, Instant now) {
        var first = new AtomicBoolean();
        recorded.asMap().compute(id, (key, before) -> {
            boolean recent = before != null && isRecent(before, now);
            first.set(!recent);
            return recent ? before : now;
        });
        return first.get();
    }

    private static boolean isRecent(Instant before, Instant now) {
        return Duration.between(before, now).compareTo(INTERVAL) < 0;
    }

    private void run(long id, Runnable write) {
        try {
            write.run();
        } catch (RuntimeException e) {
            recorded.invalidate(id);
            log.debug("the last use was not recorded", e);
        }
    }
}
