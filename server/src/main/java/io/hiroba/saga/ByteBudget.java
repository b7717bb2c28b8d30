package io.hiroba.saga;

import io.hiroba.contract.saga.v1.StepLog;

/** A budget of bytes for attempts: those beyond it lose their request and answer. */
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

    /** An attempt has been sent. */
    void free(StepLog attempt) {
        left += attempt.getSerializedSize();
    }
}
