package io.hiroba.records.pages;

import io.hiroba.accounts.pages.ReaderClock;
import io.hiroba.accounts.pages.Readers;
import io.javalin.http.Context;
import java.time.InstantSource;

/** Writes and reads times for the reader of a page. */
public final class Times {

    private final Readers readers;
    private final InstantSource clock;

    public Times(Readers readers, InstantSource clock) {
        this.readers = readers;
        this.clock = clock;
    }

    ReaderClock when(Context ctx) {
        return new ReaderClock(clock.instant(), readers.zone(ctx));
    }

    LocalMoments moments(Context ctx) {
        return new LocalMoments(readers.zone(ctx));
    }
}
