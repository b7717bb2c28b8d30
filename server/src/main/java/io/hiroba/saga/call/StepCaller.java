package io.hiroba.saga.call;

/** Calls services. */
@FunctionalInterface
public interface StepCaller {

    /** Makes the call and waits for its outcome, at most for its timeout. Never throws. */
    StepOutcome call(StepCall call);
}
