package io.hiroba.embedded;

/** What is told, step by step, to somebody who waits for the database. */
@FunctionalInterface
public interface Progress {
    void step(String what);
}
