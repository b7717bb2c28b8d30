package io.hiroba.saga.engine;

import io.hiroba.saga.StepAction;
import io.hiroba.saga.StepStatus;
import io.hiroba.saga.call.StepOutcome;
import io.hiroba.saga.workflow.Step;
import java.time.Duration;

/**
 * Executes and compensates steps that are sagas themselves, and has sagas go on as others. Each method returns whether there is
 * more to do.
 */
final class ChildExecution {

    private final Driver driver;
    private final Execution execution;
    private final Compensation compensation;
    private final ChildSteps children;

    ChildExecution(Driver driver, Execution execution, Compensation compensation, ChildSteps children) {
        this.driver = driver;
        this.execution = execution;
        this.compensation = compensation;
        this.children = children;
    }

    boolean run(SagaProgress progress, Step step) {
        return switch (children.advance(progress, step)) {
            case ChildSteps.Lost _ -> false;
            case ChildSteps.Turned turned -> {
                progress.confirmed(turned.status(), turned.undoneAs());
                // Written before anything is undone: no call is in doubt, and another node must not take one for lost.
                yield driver.write(progress, progress.status(), null, false, null);
            }
            case ChildSteps.Started started -> {
                driver.startedOthers(started.workflow(), started.count());
                yield true;
            }
            case ChildSteps.None _ -> true;
            case ChildSteps.Waiting _ -> {
                progress.waits().waitsForChildren(step);
                yield true;
            }
            case ChildSteps.Ended ended ->
                execution.record(
                        progress, new StepInvoker.Answered(step, ended.request(), ended.outcome(), ended.took()), 0);
        };
    }

    boolean undo(SagaProgress progress, Step step) {
        return switch (children.undo(progress, step)) {
            case ChildSteps.Lost _ -> false;
            case ChildSteps.None _ -> {
                if (progress.isDone(step)) {
                    yield compensation.skip(progress, step);
                }
                progress.waits().hasNoChildren(step);
                yield true;
            }
            case ChildSteps.Started _, ChildSteps.Turned _, ChildSteps.Waiting _ -> {
                driver.wakeOthers();
                progress.waits().waitsForChildren(step);
                yield true;
            }
            case ChildSteps.Ended _ -> compensation.record(progress, undone(step), 1);
        };
    }

    private static EndedAttempt undone(Step step) {
        return new EndedAttempt(step, StepAction.COMPENSATE, StepStatus.SUCCESS, null, null, null, Duration.ZERO, null);
    }

    boolean continueAsNew(SagaProgress progress, Step step) {
        ChildSteps.Successor successor;
        try {
            successor = children.successor(progress, step);
        } catch (ChildSteps.Unstartable e) {
            var failed = StepOutcome.Failed.nonRetryable(e.reason());
            return execution.record(progress, new StepInvoker.Answered(step, null, failed, Duration.ZERO), 0);
        }
        var from = progress.status();
        var log = driver.apply(
                progress,
                new EndedAttempt(
                        step,
                        StepAction.EXECUTE,
                        StepStatus.SUCCESS,
                        successor.payload(),
                        null,
                        null,
                        Duration.ZERO,
                        null));
        return driver.continueAs(progress, from, log, successor);
    }
}
