package io.hiroba.bench.chaos;

import java.util.concurrent.atomic.AtomicLong;

/** What has happened so far. */
final class Tally {

    final AtomicLong done = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    final AtomicLong unknown = new AtomicLong();
    final AtomicLong kills = new AtomicLong();
    final AtomicLong restarts = new AtomicLong();
    final AtomicLong freezes = new AtomicLong();
    final AtomicLong backends = new AtomicLong();

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
