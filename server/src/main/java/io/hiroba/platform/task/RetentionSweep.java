package io.hiroba.platform.task;

import java.util.function.IntUnaryOperator;

/** A deletion in batches, so that no lock is held for long. */
public final class RetentionSweep {

    private static final int BATCH_SIZE = 1000;

    private RetentionSweep() {}

    /** As below, in batches of 1,000. */
    public static int run(IntUnaryOperator deleteBatch) {
        return run(BATCH_SIZE, deleteBatch);
    }

    /**
     * Deletes until a batch is not full.
     *
     * @param deleteBatch deletes up to that many rows in a transaction of its own and returns how many
     * @return the total
     */
    public static int run(int batchSize, IntUnaryOperator deleteBatch) {
        int total = 0;
        int deleted;
        do {
            deleted = deleteBatch.applyAsInt(batchSize);
            total += deleted;
        } while (deleted >= batchSize && !Thread.currentThread().isInterrupted());
        return total;
    }
}
