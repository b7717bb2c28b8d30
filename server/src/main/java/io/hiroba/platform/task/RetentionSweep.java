package io.hiroba.platform.task;

import java.util.function.IntUnaryOperator;

/** A deletion in batches, so that no lock is held for long. */
public final class RetentionSweep {

    private static final int BATCH_SIZE = 1000;

    private RetentionSweep() {}

    /** As below, a thousand rows at a time. */
    public static int run(IntUnaryOperator deleteSome) {
        return run(BATCH_SIZE, deleteSome);
    }

    /**
     * Deletes until a batch is not full.
     *
     * @param deleteSome takes the size of a batch and deletes that many in a transaction of its own; returns how many
     * @return how many were deleted in all
     */
    public static int run(int batchSize, IntUnaryOperator deleteSome) {
        int all = 0;
        int some;
        do {
            some = deleteSome.applyAsInt(batchSize);
            all += some;
        } while (some >= batchSize && !Thread.currentThread().isInterrupted());
        return all;
    }
}
