package io.hiroba.agents;

import io.hiroba.agents.AgentRunStore.ClaimedRun;
import io.hiroba.platform.task.WakeSignal;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A call for a run on a thread of its own, which is interrupted when the run is stopped, its time is over, or this node stops. */
final class StoppableCall {

    /** How often it is asked whether the run was stopped, should the signal of it be lost. */
    private static final Duration STOP_POLL = Duration.ofMillis(500);

    private final RunDrafts drafts;
    private final ClaimedRun claim;
    private final WakeSignal wake;

    /** @param wake raised by whoever wants {@code goesOn} to be asked */
    StoppableCall(RunDrafts drafts, ClaimedRun claim, WakeSignal wake) {
        this.drafts = drafts;
        this.claim = claim;
        this.wake = wake;
    }

    /**
     * Waits for what {@code work} returns; null if the run was stopped meanwhile.
     *
     * @param goesOn whether the run may go on here
     * @throws TimeoutException when {@code timeout} is over
     */
    <T> @Nullable T await(Callable<T> work, Duration timeout, BooleanSupplier goesOn)
            throws ExecutionException, TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        var call = new FutureTask<>(work) {
            @Override
            protected void done() {
                wake.raise();
            }
        };
        var unlisten = drafts.onStop(claim, wake);
        Thread.ofVirtual().name("agent call").start(call);
        try {
            while (true) {
                long seen = wake.count();
                if (call.isDone()) {
                    return call.get();
                }
                var left = Duration.ofNanos(deadline - System.nanoTime());
                if (!left.isPositive()) {
                    throw new TimeoutException();
                }
                wake.await(seen, left.compareTo(STOP_POLL) < 0 ? left : STOP_POLL);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (!call.isDone() && !goesOn.getAsBoolean()) {
                    return null;
                }
            }
        } finally {
            unlisten.run();
            call.cancel(true);
        }
    }
}
