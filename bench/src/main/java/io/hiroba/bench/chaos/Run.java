package io.hiroba.bench.chaos;

/** A run of havoc. */
public interface Run extends AutoCloseable {

    /** Ends what it started; from another thread, it ends the run. */
    @Override
    void close();
}
