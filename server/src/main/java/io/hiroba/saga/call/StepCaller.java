package io.hiroba.saga.call;

import io.hiroba.saga.SagaId;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Calls services. */
@FunctionalInterface
public interface StepCaller {

    /** Makes the call and waits for its outcome, at most for its timeout. Never throws. */
    StepOutcome call(StepCall call);

    /**
     * Takes the permits of calls that a saga is about to make at once, or none of them. Services without limits need none.
     *
     * @param services the service of each call
     * @param timeout the longest that one of them may take
     */
    default Permit acquire(SagaId saga, List<String> services, Duration timeout) {
        return Permit.UNLIMITED;
    }

    /**
     * The answer to a request for permits.
     *
     * @param retryIn how long to wait before asking again; null if the calls may be made
     * @param release gives the permits back; whether a saga that waited for them is due now
     */
    record Permit(@Nullable Duration retryIn, BooleanSupplier release) {

        static final Permit UNLIMITED = new Permit(null, () -> false);
    }
}
