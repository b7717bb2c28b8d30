package io.hiroba.saga.call;

/** Calls services. */
@FunctionalInterface
public interface StepCaller {

    /** Makes the call and waits for its end, no longer than its timeout. It throws nothing. */
    StepOutcome call(StepCall call);
}
