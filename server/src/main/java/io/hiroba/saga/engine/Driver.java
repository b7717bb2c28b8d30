package io.hiroba.saga.engine;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.Transitions;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Drives a saga to its end, or to where it has to wait. */
final class Driver {

    private final Journal journal;
    private final Workers workers;
    private final WakeSignal wakeSignal;
    private final Places places;
    private final BooleanSupplier stopping;
    private final FaultInjector faults;
    private final SagaMetrics metrics;

    /** Executes the steps of each kind. */
    record Workers(StepInvoker calls, ApprovalRequests approvals, ChildSteps children, TaskExecution tasks) {}

    Driver(
            Journal journal,
            Workers workers,
            WakeSignal wakeSignal,
            Places places,
            BooleanSupplier stopping,
            FaultInjector faults,
            SagaMetrics metrics) {
        this.journal = journal;
        this.workers = workers;
        this.wakeSignal = wakeSignal;
        this.places = places;
        this.stopping = stopping;
        this.faults = faults;
        this.metrics = metrics;
    }

    /** Drives the saga until it has ended, has to wait, or has another owner. */
    void drive(SagaProgress progress) throws InterruptedException {
        var execution = new Execution(this, workers.calls());
        var compensation = new Compensation(this, workers.calls());
        var family = new ChildExecution(this, execution, compensation, workers.children());
        boolean going = true;
        while (going) {
            going = switch (progress.next(System.nanoTime())) {
                case Decision.Execute execute ->
                    permitted(progress, execute.steps(), () -> execution.run(progress, execute.steps()));
                case Decision.Signalled signalled ->
                    execution.signalled(progress, signalled.step(), signalled.payload());
                case Decision.Ask ask ->
                    execution.asked(progress, ask.step(), workers.approvals().ask(progress, ask));
                case Decision.Overdue overdue -> execution.overdue(progress, overdue.step(), overdue.reason());
                case Decision.Expire expire -> expire(progress, expire, execution);
                case Decision.Elapsed elapsed -> execution.elapsed(progress, elapsed.step());
                case Decision.LeaveOut leaveOut -> execution.leaveOut(progress, leaveOut.step());
                case Decision.Fail fail -> execution.fail(progress, fail.step(), fail.reason());
                case Decision.Compensate compensate ->
                    permitted(
                            progress, List.of(compensate.step()), () -> compensation.run(progress, compensate.step()));
                case Decision.Skip skip -> compensation.skip(progress, skip.step());
                case Decision.RunChildren run -> family.run(progress, run.step());
                case Decision.UndoChildren undo -> family.undo(progress, undo.step());
                case Decision.Continue next -> family.continueAsNew(progress, next.step());
                case Decision.TaskEnded ended ->
                    workers.tasks().ended(progress, ended.step(), ended.task(), execution, compensation);
                case Decision.Recall _ -> workers.tasks().recall(progress);
                case Decision.Turn turn -> workers.tasks().turn(progress, this, turn.step(), turn.reason());
                case Decision.Wait _, Decision.End _ -> write(progress, progress.status(), null, false, null);
            };
        }
    }

    /** One who decided or signalled while the saga was claimed is heard: it is claimed again, with the outcome. */
    private boolean expire(SagaProgress progress, Decision.Expire expire, Execution execution) {
        if (expire.step().work() instanceof Step.Signal signal) {
            return execution.expired(progress, expire.step(), signal, expire.reason());
        }
        return workers.approvals().expire(progress, expire.step())
                ? execution.overdue(progress, expire.step(), expire.reason())
                : park(progress, Duration.ZERO);
    }

    @FunctionalInterface
    private interface Calls {
        boolean make() throws InterruptedException;
    }

    /** Makes the calls if their services have permits for them; otherwise the saga waits as a row. */
    private boolean permitted(SagaProgress progress, List<Step> steps, Calls calls) throws InterruptedException {
        var permit = workers.calls().acquire(progress, steps);
        if (permit.retryIn() != null) {
            return park(progress, permit.retryIn());
        }
        try {
            return calls.make();
        } finally {
            // A call whose service answers later keeps its permit until then.
            boolean isUnderWay = steps.stream().anyMatch(progress.tasks()::isUnderWay);
            if (!isUnderWay && permit.release().getAsBoolean()) {
                wakeSignal.raise();
            }
        }
    }

    private boolean park(SagaProgress progress, Duration wait) {
        var deadline = progress.saga().deadline();
        long left = deadline == null || !progress.status().isForward() ? 0 : deadline - System.nanoTime();
        // A lost call is made again after the deadline too: then there is no end to wake up for.
        var until = left > 0 && left < wait.toNanos() ? Duration.ofNanos(left) : wait;
        return write(
                progress,
                new SagaChange(
                        progress.id(),
                        progress.saga().fence(),
                        progress.status(),
                        progress.status(),
                        progress.currentStep(),
                        null,
                        false,
                        true,
                        until,
                        progress.signals(),
                        progress.isInDoubt(),
                        null,
                        null));
    }

    /**
     * Marks a saga as stuck: it needs an operator.
     *
     * @param called whether a call may have been made whose outcome is not logged
     */
    void markStuck(ClaimedSaga saga, boolean called, Text reason) {
        journal.write(new SagaChange(
                saga.id(),
                saga.fence(),
                saga.status(),
                saga.status(),
                null,
                reason,
                true,
                true,
                null,
                saga.signals(),
                saga.inDoubt() || (called && saga.status().isForward()),
                null,
                null));
    }

    /** Applies an ended attempt to {@code progress} and returns its log entry. */
    SagaChange.LogEntry apply(SagaProgress progress, EndedAttempt ended) {
        metrics.stepEnded(progress.workflow().name(), ended);
        int attempt = progress.attempts(ended.step(), ended.action()) + 1;
        long now = System.nanoTime();
        var retryIn = ended.retryIn();
        progress.ended(new Attempt(
                ended.step().index(),
                ended.action(),
                attempt,
                ended.status(),
                ended.answer(),
                now,
                retryIn == null ? null : now + retryIn.toNanos(),
                ended.gaveUp(),
                ended.maybeDone()));
        return new SagaChange.LogEntry(
                ended.step().index(),
                ended.step().name(),
                ended.action(),
                attempt,
                ended.status(),
                ended.request(),
                ended.answer(),
                ended.error(),
                ended.took(),
                retryIn,
                ended.responseHead(),
                ended.maybeDone());
    }

    /** Writes the state of the saga after {@code log}; false if there is nothing more to do for now. */
    boolean write(
            SagaProgress progress,
            SagaStatus from,
            @Nullable Text error,
            boolean stuck,
            SagaChange.@Nullable LogEntry log) {
        return write(progress, change(progress, from, error, stuck, log));
    }

    /**
     * As above, after a wait for {@code signal} that is over. A signal that came since the saga was claimed is not lost: it is claimed
     * again, with the signal.
     */
    boolean writeUnlessSignalled(
            SagaProgress progress, SagaStatus from, Text error, SagaChange.LogEntry log, Step.Signal signal) {
        var change = change(progress, from, error, false, log);
        var written = journal.writeUnlessSignalled(change, signal.name());
        return written(progress, written.change(), written.state());
    }

    private SagaChange change(
            SagaProgress progress,
            SagaStatus from,
            @Nullable Text error,
            boolean stuck,
            SagaChange.@Nullable LogEntry log) {
        var status = progress.status();
        Duration wakeIn = null;
        boolean release = stuck;
        String waitingFor = null;
        if (!stuck) {
            switch (progress.next(System.nanoTime())) {
                case Decision.End end -> {
                    // Even with nothing to undo it is written as COMPENSATING first: it may just have been cancelled,
                    // and then has to end as CANCELLED.
                    boolean compensates = from.isForward() && end.status() != SagaStatus.COMPLETED;
                    status = compensates ? status : end.status();
                    release = !compensates;
                }
                case Decision.Wait wait -> {
                    release = true;
                    wakeIn = wait.duration();
                    waitingFor = progress.waitingFor();
                }
                case Decision.Execute _,
                        Decision.Signalled _,
                        Decision.Ask _,
                        Decision.Overdue _,
                        Decision.Expire _,
                        Decision.Elapsed _,
                        Decision.LeaveOut _,
                        Decision.Fail _,
                        Decision.Compensate _,
                        Decision.RunChildren _,
                        Decision.UndoChildren _,
                        Decision.Continue _,
                        Decision.TaskEnded _,
                        Decision.Recall _,
                        Decision.Turn _,
                        Decision.Skip _ -> {
                    release = stopping.getAsBoolean();
                    wakeIn = release ? Duration.ZERO : null;
                }
            }
        }
        return new SagaChange(
                progress.id(),
                progress.saga().fence(),
                from,
                status,
                progress.currentStep(),
                error,
                stuck,
                release,
                wakeIn,
                progress.signals(),
                progress.isInDoubt(),
                log,
                waitingFor);
    }

    /** Writes the log entry of one of several parallel calls while others are running. */
    boolean writePartial(SagaProgress progress, SagaStatus from, @Nullable Text error, SagaChange.LogEntry log) {
        return write(
                progress,
                new SagaChange(
                        progress.id(),
                        progress.saga().fence(),
                        from,
                        progress.status(),
                        progress.currentStep(),
                        error,
                        false,
                        false,
                        null,
                        progress.signals(),
                        true,
                        log,
                        null));
    }

    private boolean write(SagaProgress progress, SagaChange change) {
        if (change.from() != change.status() && !Transitions.allowed(change.from(), change.status())) {
            throw new IllegalStateException("no transition from %s to %s".formatted(change.from(), change.status()));
        }
        var parent = progress.saga().parent();
        if (parent == null || !change.status().isTerminal()) {
            return written(progress, change, journal.write(change));
        }
        var written = journal.writeEnd(parent, change);
        wakeSignal.raise();
        return written(progress, change, written);
    }

    /** Counts children that were just started, and has them claimed. */
    void startedOthers(Workflow workflow, int count) {
        for (int i = 0; i < count; i++) {
            metrics.started(workflow.name());
        }
        places.look(workflow);
        wakeOthers();
    }

    /** Has other sagas claimed that were just made due. */
    void wakeOthers() {
        faults.at(FaultInjector.Point.WRITTEN);
        wakeSignal.raise();
    }

    /** Ends the saga and starts its successor; false if there is nothing more to do. */
    boolean continueAs(
            SagaProgress progress, SagaStatus from, SagaChange.LogEntry log, ChildSteps.Successor successor) {
        var change = new SagaChange(
                progress.id(),
                progress.saga().fence(),
                from,
                SagaStatus.COMPLETED,
                progress.currentStep(),
                null,
                false,
                true,
                null,
                progress.signals(),
                false,
                log,
                null);
        var written = journal.writeContinued(change, successor);
        if (written.isPresent() && written.get().status() == SagaStatus.COMPLETED) {
            metrics.started(successor.workflow().name());
            places.look(successor.workflow());
        }
        wakeSignal.raise();
        wakeSignal.raiseAlsoIn(ChildStore.MIN_INTERVAL);
        return written(progress, change, written);
    }

    private boolean written(SagaProgress progress, SagaChange change, Optional<SagaChange.Written> written) {
        faults.at(FaultInjector.Point.WRITTEN);
        if (written.isEmpty()) {
            return false;
        }
        progress.confirmed(written.get().status(), written.get().undoneAs());
        if (written.get().status().isTerminal()) {
            metrics.ended(progress.workflow().name(), written.get().status());
            places.look(progress.workflow());
        } else if (change.stuck()) {
            metrics.stuck(progress.workflow().name());
        }
        if (!change.release()) {
            return true;
        }
        if (written.get().due()) {
            wakeSignal.raise();
        } else if (change.wakeIn() != null) {
            wakeSignal.raiseAlsoIn(change.wakeIn());
        }
        return false;
    }
}
