package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.accounts.pages.When;
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

    When when(Context ctx) {
        return new When(clock.instant(), readers.zone(ctx));
    }

    LocalMoments moments(Context ctx) {
        return new LocalMoments(readers.zone(ctx));
    }
}
