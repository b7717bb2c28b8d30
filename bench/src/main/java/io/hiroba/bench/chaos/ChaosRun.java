package io.hiroba.bench.chaos;

/** A run of a chaos test. */
public interface ChaosRun extends AutoCloseable {

    /** Stops all processes. Called from another thread, it aborts the run. */
    @Override
    void close();
}
