package io.hiroba.demo;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands at the moment of the act under way. */
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
