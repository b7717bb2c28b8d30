package io.hiroba.embedded;

/** Receives the steps of a start, for somebody who waits for the database. */
@FunctionalInterface
public interface Progress {
    void step(Step step);

    /** A step of a start that takes a while; in English for logs. */
    enum Step {
        UNPACKING("unpacking PostgreSQL"),
        BUILDING("building pgvector"),
        FETCHING("fetching programs of PostgreSQL"),
        INITIALISING("initialising the database"),
        STARTING("starting PostgreSQL");

        private final String english;

        Step(String english) {
            this.english = english;
        }

        @Override
        public String toString() {
            return english;
        }
    }
}
