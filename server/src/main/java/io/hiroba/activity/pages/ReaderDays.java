package io.hiroba.activity.pages;

import io.hiroba.accounts.Profile;
import io.hiroba.accounts.pages.Readers;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.time.ZoneId;

/** Knows the days of the reader of a page: as the cards are dated, so the server's where they did not say their zone. */
public final class ReaderDays {

    private final Readers readers;
    private final InstantSource clock;
    private final ZoneId serverZone;

    public ReaderDays(Readers readers, InstantSource clock, ZoneId serverZone) {
        this.readers = readers;
        this.clock = clock;
        this.serverZone = serverZone;
    }

    Days of(Context ctx) {
        var zone = readers.profile(ctx).map(Profile::timeZone).orElse(serverZone);
        return new Days(clock.instant(), zone);
    }
}
