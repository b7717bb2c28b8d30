package io.hiroba.bench.chaos;

import java.util.concurrent.atomic.AtomicLong;

/** The counts of a run so far. */
public final class Tally {

    public final AtomicLong done = new AtomicLong();
    public final AtomicLong refused = new AtomicLong();
    public final AtomicLong unknown = new AtomicLong();
    public final AtomicLong kills = new AtomicLong();
    public final AtomicLong restarts = new AtomicLong();
    public final AtomicLong freezes = new AtomicLong();
    public final AtomicLong backends = new AtomicLong();

    @Override
    public String toString() {
        return "%,d acts, %,d refused, %,d unknown answers; %,d kills, %,d restarts, %,d freezes, %,d connections ended"
                .formatted(
                        done.get(),
                        refused.get(),
                        unknown.get(),
                        kills.get(),
                        restarts.get(),
                        freezes.get(),
                        backends.get());
    }
}
