package io.hiroba.saga;

import io.hiroba.contract.saga.v1.StepLog;

/** How many bytes of attempts are still taken; beyond, what was sent and answered is left out of them. */
final class ByteBudget {

    private long left;

    ByteBudget(long bytes) {
        left = bytes;
    }

    StepLog fit(StepLog attempt) {
        var fitting = attempt.getSerializedSize() <= left
                ? attempt
                : attempt.toBuilder()
                        .clearRequest()
                        .clearAnswer()
                        .setLeftOut(true)
                        .build();
        left -= fitting.getSerializedSize();
        return fitting;
    }

    /** An attempt has been taken away. */
    void free(StepLog attempt) {
        left += attempt.getSerializedSize();
    }
}
