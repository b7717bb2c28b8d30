package io.hiroba.inbox.pages;

import io.hiroba.accounts.Profile;
import io.hiroba.accounts.pages.Readers;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.time.ZoneId;

/** Knows the time zone of the reader of a page: as items are put off, so the server's where they did not say theirs. */
public final class ReaderMoments {

    private final Readers readers;
    private final InstantSource clock;
    private final ZoneId serverZone;

    public ReaderMoments(Readers readers, InstantSource clock, ZoneId serverZone) {
        this.readers = readers;
        this.clock = clock;
        this.serverZone = serverZone;
    }

    Moments of(Context ctx) {
        var zone = readers.profile(ctx).map(Profile::timeZone).orElse(serverZone);
        return new Moments(clock.instant(), zone);
    }
}
