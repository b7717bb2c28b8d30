package io.hiroba.demo;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that is set to the time of the current act. */
final class PastClock implements InstantSource {

    private volatile Instant moment;

    PastClock(Instant moment) {
        this.moment = moment;
    }

    void set(Instant to) {
        moment = to;
    }

    @Override
    public Instant instant() {
        return moment;
    }
}
