package io.hiroba.saga;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.ResolutionStore.Decided;
import io.hiroba.saga.Sagas.Resolution;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.Workflows;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Carries out what operators decide about a saga by hand, in one transaction that has its row locked. It wins over a node that
 * works on the saga: the node's next write is refused, and calls of other steps that it had under way are made again under
 * their keys.
 */
final class Resolver {

    private static final int MAX_REASON_LENGTH = 1000;

    private final Workflows workflows;
    private final SagaStore sagas = new SagaStore();
    private final ResolutionStore store = new ResolutionStore();
    private final OpenCallStore calls = new OpenCallStore();
    private final SagaFamilyStore family = new SagaFamilyStore();
    private final ApprovalStore approvals = new ApprovalStore();

    Resolver(Workflows workflows) {
        this.workflows = workflows;
    }

    void resolve(Tx tx, SagaId id, Resolution resolution, String by) {
        var reason = reason(resolution.reason());
        var answer = resolution.answer();
        if (answer != null && (resolution.action() != Resolution.Action.COMPLETE || resolution.step() == null)) {
            throw SagaProblem.invalid("answer", Text.of("saga.field.answer-of-step"));
        }
        if (answer != null) {
            StorableJson.require("answer", answer);
        }
        switch (resolution.action()) {
            case SKIP -> resolveStep(tx, id, resolution, StepStatus.SKIPPED, reason, by);
            case COMPLETE -> {
                if (resolution.step() != null) {
                    resolveStep(tx, id, resolution, StepStatus.SUCCESS, reason, by);
                } else {
                    end(tx, id, SagaStatus.COMPLETED, new Decided("complete", null, null, null, required(reason), by));
                }
            }
            case FAIL -> {
                var step = resolution.step() == null
                        ? null
                        : resolvable(tx, id, resolution).step().name();
                end(tx, id, SagaStatus.FAILED, new Decided("fail", null, step, null, required(reason), by));
            }
            case UNDO -> {
                refuseStep(resolution);
                undo(tx, id, reason, by);
            }
        }
    }

    /** Returns the payload as it is stored: with the defaults of its workflow. */
    JsonNode changePayload(Tx tx, SagaId id, JsonNode payload, @Nullable String reason, String by) {
        StorableJson.require("payload", payload);
        var saga = sagas.lock(tx, id).orElseThrow(SagaProblem::notFound);
        var fitting = fitting(tx, saga, payload);
        var why = required(reason(reason));
        requireRest(tx, id);
        refuseOpenChildren(tx, id);
        store.insert(tx, id, new Decided("payload", null, null, null, why, by), true);
        store.setPayload(tx, id, fitting);
        return fitting;
    }

    private JsonNode fitting(Tx tx, SagaStore.Locked saga, JsonNode payload) {
        return workflows
                .find(tx, saga.workflowName(), saga.workflowVersion())
                .map(workflow -> workflow.payload().required(payload))
                .orElse(payload);
    }

    private void resolveStep(
            Tx tx, SagaId id, Resolution resolution, StepStatus status, @Nullable String reason, String by) {
        var target = resolvable(tx, id, resolution);
        var saga = target.saga();
        var step = target.step();
        var action = target.action();
        var word = resolution.action() == Resolution.Action.SKIP ? "skip" : "complete";
        var decided = new Decided(word, step.index(), step.name(), action, reason, by);
        boolean isInDoubt = calls.isInDoubt(tx, id);
        calls.withdraw(tx, id, step.index());
        boolean maybeDone =
                status == StepStatus.SKIPPED && action == StepAction.EXECUTE && mayBeCalled(tx, id, step, isInDoubt);
        store.log(tx, id, decided, status, resolution.answer(), maybeDone);
        store.insert(tx, id, decided, false);
        if (step.work() instanceof Step.Approval) {
            approvals.withdraw(tx, id, step.index());
        }
        if (saga.stuck()) {
            sagas.retry(tx, id);
        } else {
            store.release(tx, id, action, isInDoubt && hasOtherCalls(target));
        }
    }

    /** Whether the step may have been executed, or be so by now: then it is undone with the others. */
    private boolean mayBeCalled(Tx tx, SagaId id, Step step, boolean isInDoubt) {
        return step.work() instanceof Step.Call
                && (isInDoubt
                        || calls.unlogged(tx, id).stream()
                                .anyMatch(task -> task.step() == step.index() && task.executes() && task.maybeDone()));
    }

    /** A step that an operator may decide about. */
    private record Resolvable(Saga saga, Workflow workflow, StepPhases phases, Step step, StepAction action) {}

    /** The step that is named, or the only one there is. */
    private Resolvable resolvable(Tx tx, SagaId id, Resolution resolution) {
        var found = sagas.withLog(tx, id).orElseThrow(SagaProblem::notFound);
        var saga = found.saga();
        var given = resolution.step();
        var workflow = workflows
                .find(tx, saga.workflowName(), saga.workflowVersion())
                .orElseThrow(() -> SagaProblem.noStep(String.valueOf(given)));
        var phases = new StepPhases(saga, workflow, found.log());
        var name = given == null ? onlyResolvable(workflow, phases) : given;
        var step = workflow.steps().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> SagaProblem.noStep(name));
        if (step.work() instanceof Step.Children) {
            throw SagaProblem.stepOfSagas(name);
        }
        var action = phases.resolvable(step);
        if (action == null) {
            throw SagaProblem.notResolvable(name);
        }
        return new Resolvable(saga, workflow, phases, step, action);
    }

    private static String onlyResolvable(Workflow workflow, StepPhases phases) {
        var open = workflow.steps().stream()
                .filter(step -> phases.resolvable(step) != null)
                .toList();
        if (open.size() != 1) {
            throw SagaProblem.invalid("step", Text.of("saga.field.step"));
        }
        return open.getFirst().name();
    }

    /** Whether calls of other steps may be under way, whose answers nobody will write. */
    private static boolean hasOtherCalls(Resolvable target) {
        return target.workflow().steps().stream()
                .anyMatch(other -> other.index() != target.step().index()
                        && other.work() instanceof Step.Call
                        && target.phases().resolvable(other) == StepAction.EXECUTE);
    }

    private void end(Tx tx, SagaId id, SagaStatus status, Decided decided) {
        refuseOpenChildren(tx, id);
        calls.withdraw(tx, id);
        store.insert(tx, id, decided, false);
        var error = Text.of("saga.journal.ended-by-operator", "reason", String.valueOf(decided.reason()));
        store.end(tx, id, status, status == SagaStatus.FAILED ? error : null);
    }

    private void undo(Tx tx, SagaId id, @Nullable String reason, String by) {
        var saga = sagas.lock(tx, id).orElseThrow(SagaProblem::notFound);
        requireRest(tx, id);
        var last = store.undoable(tx, id).orElseThrow(SagaProblem::nothingToUndo);
        var former = last.payload();
        // The saga may have been moved to a version that wants more of its payload.
        var fitting = former == null ? null : fitting(tx, saga, former);
        store.undo(tx, id, last, Text.of("saga.journal.resolution-undone"));
        if (fitting != null && !fitting.equals(former)) {
            store.setPayload(tx, id, fitting);
        }
        if (last.step() != null) {
            approvals.reopen(tx, id, last.step());
        }
        store.insert(tx, id, new Decided("undo", last.step(), last.stepName(), last.stepAction(), reason, by), false);
    }

    /** A call that is under way was made with what is about to change. */
    private void requireRest(Tx tx, SagaId id) {
        if (calls.isCalled(tx, id)) {
            throw SagaProblem.running();
        }
        if (calls.hasLease(tx, id) || !calls.unlogged(tx, id).isEmpty()) {
            throw SagaProblem.taskUnderWay();
        }
    }

    /** Nobody would undo them, nor read what they answer. */
    private void refuseOpenChildren(Tx tx, SagaId id) {
        if (family.hasOpenChildren(tx, id)) {
            throw SagaProblem.openChildren();
        }
    }

    private static void refuseStep(Resolution resolution) {
        if (resolution.step() != null) {
            throw SagaProblem.invalid("step", Text.of("saga.field.no-step"));
        }
    }

    private static @Nullable String reason(@Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            return null;
        }
        if (reason.length() > MAX_REASON_LENGTH || !StorableJson.isStorable(reason)) {
            throw SagaProblem.invalid("reason", Text.of("saga.field.length", "max", MAX_REASON_LENGTH));
        }
        return reason.strip();
    }

    private static String required(@Nullable String reason) {
        if (reason == null) {
            throw SagaProblem.invalid("reason", Text.of("saga.field.reason"));
        }
        return reason;
    }
}
