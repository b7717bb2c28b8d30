package io.hiroba.saga;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.ResolutionStore.Decided;
import io.hiroba.saga.workflow.Step;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.Workflows;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Moves a saga to a newer version of its workflow, in one transaction that has its row locked. All stages that have begun stand
 * unchanged in the newer version: what was logged of their steps is then as true of it. As a resolution by hand, it wins over a node
 * that works on the saga.
 */
final class Migrator {

    private final Workflows workflows;
    private final SagaStore sagas = new SagaStore();
    private final ResolutionStore resolutions = new ResolutionStore();
    private final MigrationStore store = new MigrationStore();
    private final OpenCallStore calls = new OpenCallStore();

    Migrator(Workflows workflows) {
        this.workflows = workflows;
    }

    /**
     * Moves the saga; its payload is returned, as the newer version completes it.
     *
     * @param locked the saga's row
     */
    Moved migrate(Tx tx, SagaId id, SagaStore.Locked locked, int version, String by) {
        int current = locked.workflowVersion();
        if (version <= current) {
            throw SagaProblem.invalid(
                    "version", Text.of("saga.field.newer-version", "version", Integer.toString(current)));
        }
        var from = version(tx, locked.workflowName(), current);
        var to = version(tx, locked.workflowName(), version);
        var found = sagas.withLog(tx, id).orElseThrow(SagaProblem::notFound);
        boolean isInDoubt = calls.isInDoubt(tx, id);
        var called = new HashSet<>(calls.repeated(tx, id));
        calls.unlogged(tx, id).forEach(task -> called.add(task.step()));
        changedStep(from, to, begun(found, from, isInDoubt), step -> isInDoubt || called.contains(step.index()))
                .ifPresent(step -> {
                    throw SagaProblem.incompatibleVersion(step, version);
                });
        var payload = found.saga().payload();
        var given = payload == null ? JsonMapper.shared().nullNode() : payload;
        var fitting = to.payload().required(given);
        if (!fitting.equals(given) && (isInDoubt || !called.isEmpty())) {
            // The call that is made again would send what its key does not stand for.
            throw SagaProblem.running();
        }
        var versions = "%d → %d".formatted(current, version);
        resolutions.insert(tx, id, new Decided("migrate", null, null, null, versions, by), false);
        store.move(tx, id, version, fitting.equals(given) ? null : fitting);
        return new Moved(to, fitting);
    }

    /** A saga's new version and payload. */
    record Moved(Workflow workflow, JsonNode payload) {}

    private Workflow version(Tx tx, String name, int version) {
        return workflows.find(tx, name, version).orElseThrow(() -> SagaProblem.noVersion(name, version));
    }

    /** The last stage that has begun, or may have; -1 where none has. */
    private static int begun(SagaStore.Logged found, Workflow workflow, boolean isInDoubt) {
        var saga = found.saga();
        if (found.log().isEmpty() && saga.status() == SagaStatus.STARTED && !isInDoubt) {
            return -1;
        }
        int logged = found.log().stream()
                .mapToInt(each -> workflow.steps().get(each.stepIndex()).stage())
                .max()
                .orElse(-1);
        return Math.max(logged, new StepPhases(saga, workflow, found.log()).stage());
    }

    /** The first step up to a stage that is not the same in both versions. */
    private static Optional<String> changedStep(Workflow from, Workflow to, int stage, Predicate<Step> mayBeCalled) {
        for (var step : from.steps()) {
            if (step.stage() <= stage) {
                boolean kept = step.index() < to.steps().size()
                        && isSame(step, to.steps().get(step.index()), mayBeCalled.test(step));
                if (!kept) {
                    return Optional.of(step.name());
                }
            }
        }
        long count = from.steps().stream().filter(step -> step.stage() <= stage).count();
        return to.steps().stream()
                .filter(step -> step.stage() <= stage && step.index() >= count)
                .map(Step::name)
                .findFirst();
    }

    /** A call that may be under way is made again under its key, which must not stand for another input. */
    private static boolean isSame(Step step, Step other, boolean mayBeCalled) {
        return step.name().equals(other.name())
                && step.stage() == other.stage()
                && isSame(step.work(), other.work(), mayBeCalled);
    }

    private static boolean isSame(Step.Work work, Step.Work other, boolean mayBeCalled) {
        if (work instanceof Step.Call call && other instanceof Step.Call next) {
            boolean sameInput = Objects.equals(call.input(), next.input())
                    && Objects.equals(call.compensate(), next.compensate())
                    && Objects.equals(call.compensateInput(), next.compensateInput());
            return call.service().equals(next.service())
                    && call.method().equals(next.method())
                    && (sameInput || !mayBeCalled);
        }
        if (work instanceof Step.Signal signal && other instanceof Step.Signal next) {
            return signal.name().equals(next.name());
        }
        if (work instanceof Step.Children children && other instanceof Step.Children next) {
            // The index of a child is its place in the list.
            return children.workflow().equals(next.workflow()) && Objects.equals(children.forEach(), next.forEach());
        }
        return work.getClass() == other.getClass();
    }
}
