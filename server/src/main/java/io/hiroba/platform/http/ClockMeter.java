package io.hiroba.platform.http;

import io.github.bucket4j.TimeMeter;
import java.time.Clock;
import java.util.concurrent.TimeUnit;

/** Lets token buckets read our clock, which tests can set. */
record ClockMeter(Clock clock) implements TimeMeter {

    @Override
    public long currentTimeNanos() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis());
    }

    @Override
    public boolean isWallClockBased() {
        return true;
    }
}
