package io.hiroba.embedded;

/** Receives the steps of a start, for somebody who waits for the database. */
@FunctionalInterface
public interface Progress {
    void step(String what);
}
