package io.hiroba.saga;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.engine.Engine;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.Workflows;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Starts, cancels, compensates, retries and signals sagas. */
public final class Sagas {

    private static final int MAX_NAME_LENGTH = 255;
    private static final Pattern TRACEPARENT = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private final Db db;
    private final Engine engine;
    private final Workflows workflows;
    private final SagaRoles roles;
    private final AuditLog audit;
    private final SagaStore store = new SagaStore();
    private final StepLogStore attempts = new StepLogStore();
    private final Resolver resolver;
    private final Migrator migrator;
    private final SagaFamilyStore family = new SagaFamilyStore();
    private final BulkActions bulk;

    public Sagas(Db db, Engine engine, Workflows workflows, SagaRoles roles) {
        this.db = db;
        this.engine = engine;
        this.workflows = workflows;
        this.roles = roles;
        this.audit = new AuditLog(db);
        this.resolver = new Resolver(workflows);
        this.migrator = new Migrator(workflows);
        this.bulk = new BulkActions(db, this, roles);
    }

    /** The actions on many sagas at once. */
    public BulkActions bulk() {
        return bulk;
    }

    /** Starts a saga and returns once it is durable. */
    public SagaId start(Caller caller, NewSaga saga) {
        roles.requireOperator(caller);
        var checked = checked(caller, saga);
        return engine.start(checked, workflows.newest(checked.workflowName()));
    }

    /** As above, in the caller's transaction. */
    public SagaId start(Tx tx, Caller caller, NewSaga saga) {
        roles.requireOperator(tx, caller);
        var checked = checked(caller, saga);
        return engine.start(tx, checked, workflows.newest(tx, checked.workflowName()));
    }

    /** Starts a saga of a built-in workflow in the caller's transaction; it takes no role. */
    public SagaId startBuiltIn(Tx tx, NewSaga saga) {
        return engine.start(tx, saga, workflows.newest(tx, saga.workflowName()));
    }

    /** Undoes the saga, which then ends as CANCELLED. A running step finishes and is not retried. */
    public void cancel(Caller caller, SagaId id) {
        undo(caller, id, SagaStatus.CANCELLED, Text.of(SagaStore.CANCELLED), AuditLog.Action.SAGA_CANCELLED);
    }

    /** Undoes the saga, which then ends as FAILED. */
    public void compensate(Caller caller, SagaId id) {
        var reason = Text.of("saga.journal.undone-by-operator");
        undo(caller, id, SagaStatus.FAILED, reason, AuditLog.Action.SAGA_COMPENSATED);
    }

    /** As {@link #cancel}, for a schedule that starts another in its place; one that ends anyway is left. */
    public void cancelReplaced(Tx tx, SagaId id) {
        var saga = store.lock(tx, id);
        if (saga.isEmpty() || saga.get().status().isTerminal() || saga.get().status() == SagaStatus.COMPENSATING) {
            return;
        }
        var reason = Text.of("saga.journal.replaced");
        store.undo(tx, id, SagaStatus.CANCELLED, reason, saga.get().stuck());
        tx.afterCommit(engine::wake);
    }

    private void undo(Caller caller, SagaId id, SagaStatus as, Text reason, AuditLog.Action action) {
        roles.requireOperator(caller);
        db.useTransaction(tx -> undo(tx, caller, id, as, reason, action));
    }

    /** As {@link #cancel(Caller, SagaId)}, of an operator, in their transaction. */
    void cancel(Tx tx, Caller caller, SagaId id) {
        undo(tx, caller, id, SagaStatus.CANCELLED, Text.of(SagaStore.CANCELLED), AuditLog.Action.SAGA_CANCELLED);
    }

    private void undo(Tx tx, Caller caller, SagaId id, SagaStatus as, Text reason, AuditLog.Action action) {
        var saga = ownLocked(tx, id);
        if (saga.status() == SagaStatus.COMPENSATING) {
            throw saga.stuck() ? SagaProblem.stuck() : SagaProblem.compensating();
        }
        store.undo(tx, id, as, reason, saga.stuck());
        record(tx, caller, action, id, saga, Changes.NONE.with("status", saga.status(), SagaStatus.COMPENSATING));
        tx.afterCommit(engine::wake);
    }

    /** Resumes a stuck saga. */
    public void retry(Caller caller, SagaId id) {
        roles.requireOperator(caller);
        db.useTransaction(tx -> retry(tx, caller, id));
    }

    /** As above, of an operator, in their transaction. */
    void retry(Tx tx, Caller caller, SagaId id) {
        var saga = locked(tx, id);
        if (!saga.stuck()) {
            throw SagaProblem.notStuck();
        }
        store.retry(tx, id);
        record(tx, caller, AuditLog.Action.SAGA_RETRIED, id, saga, Changes.NONE.with("stuck", true, false));
        tx.afterCommit(engine::wake);
    }

    /** Sends a signal that the saga waits for, or will wait for. */
    public void signal(Caller caller, SagaId id, String name, JsonNode payload) {
        roles.requireOperator(caller);
        db.useTransaction(tx -> signal(tx, caller, id, name, payload));
    }

    /** As above, of an operator, in their transaction. */
    void signal(Tx tx, Caller caller, SagaId id, String name, JsonNode payload) {
        var saga = locked(tx, id);
        var step = workflows
                .find(tx, saga.workflowName(), saga.workflowVersion())
                .flatMap(found -> found.waitingFor(name))
                .orElseThrow(() -> SagaProblem.noSignal(name));
        if (saga.status() == SagaStatus.COMPENSATING) {
            throw SagaProblem.compensating();
        }
        StorableJson.require("payload", payload);
        if (!store.signal(tx, id, name, payload, caller.actor().hex())) {
            throw SagaProblem.signalled(name);
        }
        if (attempts.isDone(tx, id, step.index())) {
            throw SagaProblem.signalTooLate(name);
        }
        var changes = Changes.NONE.with("signal", null, name);
        record(tx, caller, AuditLog.Action.SAGA_SIGNALLED, id, saga, changes);
        tx.afterCommit(engine::wake);
    }

    /**
     * A decision that an operator takes by hand.
     *
     * @param step the name of a step; null where it is about the whole saga
     * @param answer the answer of a step that is marked as done
     */
    public record Resolution(
            Action action,
            @Nullable String step,
            @Nullable JsonNode answer,
            @Nullable String reason) {

        /** The status that it ends the saga with, if it does. */
        Optional<SagaStatus> endsAs() {
            return switch (action) {
                case COMPLETE -> step == null ? Optional.of(SagaStatus.COMPLETED) : Optional.empty();
                case FAIL -> Optional.of(SagaStatus.FAILED);
                case SKIP, UNDO -> Optional.empty();
            };
        }

        /** The kind of a decision. */
        public enum Action {
            /** The step, or its compensation, is left out. */
            SKIP,
            /** The step, its compensation, or the whole saga is done. */
            COMPLETE,
            /** The saga ends as FAILED, and nothing more is undone. */
            FAIL,
            /** The last decision is undone, if nothing followed from it. */
            UNDO
        }
    }

    /** Resolves a step by hand, or ends the saga; it wins over a node that works on the saga. */
    public void resolve(Caller caller, SagaId id, Resolution resolution) {
        roles.requireOperator(caller);
        db.useTransaction(tx -> {
            var parent = resolution.endsAs().flatMap(status -> family.lockParent(tx, id));
            if (resolution.action() == Resolution.Action.UNDO) {
                refuseEnded(tx, id);
            }
            var saga = ownLocked(tx, id);
            if (parent.isPresent()
                    && resolution.action() == Resolution.Action.COMPLETE
                    && saga.status() == SagaStatus.COMPENSATING) {
                // Its parent would have it undone again.
                throw SagaProblem.compensating();
            }
            resolver.resolve(tx, id, resolution, caller.actor().hex());
            parent.ifPresent(each -> engine.childEnded(tx, each));
            if (resolution.action() == Resolution.Action.UNDO) {
                store.find(tx, id)
                        .flatMap(found -> Optional.ofNullable(found.payload()))
                        .ifPresent(payload -> changeAttributes(tx, id, saga, payload));
            }
            var changes = Changes.NONE
                    .with("action", null, resolution.action().name().toLowerCase(Locale.ROOT))
                    .with("step", null, resolution.step())
                    .with("reason", null, resolution.reason());
            record(tx, caller, AuditLog.Action.SAGA_RESOLVED, id, saga, changes);
            resolution
                    .endsAs()
                    .ifPresent(status -> tx.afterCommit(() -> engine.endedByHand(saga.workflowName(), status)));
        });
        engine.wake();
    }

    /** Changes the payload for the calls to come; refused while a call may be under way. */
    public void changePayload(Caller caller, SagaId id, JsonNode payload, @Nullable String reason) {
        roles.requireOperator(caller);
        db.useTransaction(tx -> {
            var saga = ownLocked(tx, id);
            var stored = resolver.changePayload(
                    tx, id, payload, reason, caller.actor().hex());
            changeAttributes(tx, id, saga, stored);
            var changes = Changes.NONE.with("reason", null, reason);
            record(tx, caller, AuditLog.Action.SAGA_PAYLOAD_CHANGED, id, saga, changes);
        });
    }

    /** The saga is found by the payload that it has. */
    private void changeAttributes(Tx tx, SagaId id, SagaStore.Locked saga, JsonNode payload) {
        workflows
                .find(tx, saga.workflowName(), saga.workflowVersion())
                .ifPresent(workflow -> engine.changeAttributes(tx, id, workflow, payload));
    }

    /** Moves the saga to a newer version of its workflow, in which the steps that have begun are the same. */
    public void migrate(Caller caller, SagaId id, int version) {
        roles.requireOperator(caller);
        db.useTransaction(tx -> migrate(tx, caller, id, version));
    }

    /** As above, of an operator, in their transaction. */
    void migrate(Tx tx, Caller caller, SagaId id, int version) {
        var saga = ownLocked(tx, id);
        var moved = migrator.migrate(tx, id, saga, version, caller.actor().hex());
        engine.changeAttributes(tx, id, moved.workflow(), moved.payload());
        var changes = Changes.NONE.with("version", saga.workflowVersion(), version);
        record(tx, caller, AuditLog.Action.SAGA_MIGRATED, id, saga, changes);
        tx.afterCommit(() -> engine.moved(saga.workflowName()));
    }

    private void refuseEnded(Tx tx, SagaId id) {
        if (store.lock(tx, id).orElseThrow(SagaProblem::notFound).status().isTerminal()) {
            throw SagaProblem.endIsFinal();
        }
    }

    private SagaStore.Locked ownLocked(Tx tx, SagaId id) {
        var saga = locked(tx, id);
        if (Workflow.isBuiltIn(saga.workflowName())) {
            throw SagaProblem.builtInWorkflow(saga.workflowName());
        }
        return saga;
    }

    private void record(
            Tx tx, Caller caller, AuditLog.Action action, SagaId id, SagaStore.Locked saga, Changes changes) {
        audit.record(tx, caller, action, Target.of(TargetKind.SAGA, id.toString(), saga.workflowName()), changes);
    }

    private SagaStore.Locked locked(Tx tx, SagaId id) {
        var saga = store.lock(tx, id).orElseThrow(SagaProblem::notFound);
        if (saga.status().isTerminal()) {
            throw SagaProblem.terminal(saga.status());
        }
        return saga;
    }

    private static NewSaga checked(Caller caller, NewSaga saga) {
        requireLength("workflowName", saga.workflowName());
        if (Workflow.isBuiltIn(saga.workflowName())) {
            throw SagaProblem.builtInWorkflow(saga.workflowName());
        }
        requireLength("correlationId", saga.correlationId());
        if (saga.initiatedBy() != null) {
            throw SagaProblem.invalid("initiatedBy", Text.of("saga.field.initiator"));
        }
        StorableJson.require("payload", saga.payload());
        var trace = saga.traceparent();
        return new NewSaga(
                saga.workflowName(),
                saga.payload(),
                saga.correlationId(),
                caller.actor().hex(),
                trace != null && TRACEPARENT.matcher(trace).matches() ? trace : null,
                NewSaga.requirePriority(saga.priority()));
    }

    static void requireLength(String field, @Nullable String text) {
        if (text != null && (text.isBlank() || text.length() > MAX_NAME_LENGTH)) {
            throw SagaProblem.invalid(field, Text.of("saga.field.length", "max", MAX_NAME_LENGTH));
        }
    }
}
