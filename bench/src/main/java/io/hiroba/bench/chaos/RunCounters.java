package io.hiroba.bench.chaos;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the requests and faults of a run. */
public final class RunCounters {

    public final AtomicLong done = new AtomicLong();
    public final AtomicLong refused = new AtomicLong();
    public final AtomicLong unknown = new AtomicLong();
    public final AtomicLong kills = new AtomicLong();
    public final AtomicLong restarts = new AtomicLong();
    public final AtomicLong freezes = new AtomicLong();
    public final AtomicLong terminatedConnections = new AtomicLong();

    /** Counts the reply to a request, which was refused if it was neither done nor lost. */
    public void count(boolean isDone, boolean isUnknown) {
        (isDone ? done : isUnknown ? unknown : refused).incrementAndGet();
    }

    @Override
    public String toString() {
        return "%,d requests done, %,d refused, %,d unknown; %,d kills, %,d restarts, %,d freezes, %,d connections terminated"
                .formatted(
                        done.get(),
                        refused.get(),
                        unknown.get(),
                        kills.get(),
                        restarts.get(),
                        freezes.get(),
                        terminatedConnections.get());
    }
}
