package io.hiroba.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is moved, and that is no finer than the database keeps. */
public class SettableClock extends Clock {

    private final AtomicReference<Instant> now;

    public SettableClock(Instant start) {
        now = new AtomicReference<>(start.truncatedTo(ChronoUnit.MICROS));
    }

    public void set(Instant moment) {
        now.set(moment);
    }

    public void advance(Duration by) {
        now.updateAndGet(moment -> moment.plus(by));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
