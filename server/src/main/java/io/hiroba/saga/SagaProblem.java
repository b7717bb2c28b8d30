package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** The problems of workflows, sagas and services. */
public final class SagaProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private final transient List<DefinitionError> definitionErrors;

    private SagaProblem(
            Kind kind, String code, Text detail, List<FieldError> fields, List<DefinitionError> definitionErrors) {
        super(kind, "saga." + code, detail, fields);
        this.definitionErrors = List.copyOf(definitionErrors);
    }

    private SagaProblem(Kind kind, String code, Text detail) {
        this(kind, code, detail, List.of(), List.of());
    }

    private SagaProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("saga.problem." + code, arguments));
    }

    /**
     * An error in the definition of a workflow.
     *
     * @param column 0 where the line says enough
     * @param path the key; empty for the whole text
     * @param reason in English it goes on after the path
     */
    public record DefinitionError(int line, int column, String path, Text reason) {

        private Text position() {
            return column == 0
                    ? Text.of("saga.definition.at-line", "line", Integer.toString(line))
                    : Text.of(
                            "saga.definition.at-column",
                            "line",
                            Integer.toString(line),
                            "column",
                            Integer.toString(column));
        }

        private Text text() {
            return path.isEmpty()
                    ? Text.of("saga.definition.error", "position", position(), "reason", reason)
                    : Text.of("saga.definition.error-of", "position", position(), "path", path, "reason", reason);
        }

        private FieldError field() {
            return new FieldError(path, Text.of("saga.definition.error", "position", position(), "reason", reason));
        }
    }

    /** The errors of the definition, if it is about one. */
    public List<DefinitionError> definitionErrors() {
        return definitionErrors;
    }

    public static SagaProblem invalid(String field, Text message) {
        return new SagaProblem(
                Kind.INVALID,
                "invalid",
                Problem.ofField(field, message),
                List.of(new FieldError(field, message)),
                List.of());
    }

    public static SagaProblem notFound() {
        return new SagaProblem(Kind.NOT_FOUND, "not-found");
    }

    public static SagaProblem noWorkflow(String name) {
        return new SagaProblem(Kind.NOT_FOUND, "no-workflow", "workflow", name);
    }

    /**
     * The definition is invalid.
     *
     * @param errors the first ones; there is at least one
     * @param count how many there are in all
     */
    public static SagaProblem badWorkflow(List<DefinitionError> errors, int count) {
        var detail =
                Text.of("saga.problem.bad-workflow", "error", errors.getFirst().text(), "more", count - 1);
        return new SagaProblem(
                Kind.INVALID,
                "bad-workflow",
                detail,
                errors.stream().map(DefinitionError::field).toList(),
                errors);
    }

    /** A file of the configured folder is no valid workflow; told when a node starts. */
    public static SagaProblem badFile(String file, String reason) {
        return new SagaProblem(
                Kind.INVALID, "bad-workflow", Text.verbatim("%s (saga.workflows): %s".formatted(file, reason)));
    }

    public static SagaProblem noVersion(String name, int version) {
        return new SagaProblem(
                Kind.NOT_FOUND,
                "no-workflow",
                Text.of("saga.problem.no-version", "version", Integer.toString(version), "workflow", name));
    }

    public static SagaProblem versionConflict(String name, int newest, int given) {
        return new SagaProblem(
                Kind.CONFLICT,
                "version-conflict",
                "workflow",
                name,
                "newest",
                Integer.toString(newest),
                "next",
                Integer.toString(newest + 1),
                "given",
                Integer.toString(given));
    }

    /** Somebody else has registered another version since the text was taken. */
    public static SagaProblem editedMeanwhile(String name, int newest) {
        return new SagaProblem(Kind.CONFLICT, "edited-meanwhile", "workflow", name, "newest", Integer.toString(newest));
    }

    /** Built-in workflows rely on their payload, so only the program starts them. */
    public static SagaProblem builtInWorkflow(String name) {
        return new SagaProblem(Kind.FORBIDDEN, "own-workflow", "workflow", name);
    }

    /** Only built-in workflows may call the program's local steps. */
    public static SagaProblem reservedService(String name) {
        return new SagaProblem(Kind.FORBIDDEN, "own-service", "service", name);
    }

    public static SagaProblem disabled(String name) {
        return new SagaProblem(Kind.CONFLICT, "workflow-disabled", "workflow", name);
    }

    public static SagaProblem terminal(SagaStatus status) {
        return new SagaProblem(Kind.CONFLICT, "terminal", "status", status);
    }

    public static SagaProblem compensating() {
        return new SagaProblem(Kind.CONFLICT, "compensating");
    }

    public static SagaProblem stuck() {
        return new SagaProblem(Kind.CONFLICT, "stuck");
    }

    public static SagaProblem notStuck() {
        return new SagaProblem(Kind.CONFLICT, "not-stuck");
    }

    public static SagaProblem running() {
        return new SagaProblem(Kind.CONFLICT, "running");
    }

    public static SagaProblem noStep(String name) {
        return new SagaProblem(Kind.NOT_FOUND, "no-step", "step", name);
    }

    public static SagaProblem notResolvable(String step) {
        return new SagaProblem(Kind.CONFLICT, "not-resolvable", "step", step);
    }

    /** The step is the sagas that it started. */
    public static SagaProblem stepOfSagas(String step) {
        return new SagaProblem(Kind.CONFLICT, "step-of-sagas", "step", step);
    }

    /** Sagas that it started have not ended. */
    public static SagaProblem openChildren() {
        return new SagaProblem(Kind.CONFLICT, "open-children");
    }

    /** A step that has begun is another one in the version that the saga was to be moved to. */
    public static SagaProblem incompatibleVersion(String step, int version) {
        return new SagaProblem(
                Kind.CONFLICT, "incompatible-version", "step", step, "version", Integer.toString(version));
    }

    public static SagaProblem noBulkJob() {
        return new SagaProblem(Kind.NOT_FOUND, "no-bulk-job");
    }

    /** A decision about a saga that has ended cannot be undone. */
    public static SagaProblem endIsFinal() {
        return new SagaProblem(Kind.CONFLICT, "end-is-final");
    }

    public static SagaProblem nothingToUndo() {
        return new SagaProblem(Kind.CONFLICT, "nothing-to-undo");
    }

    public static SagaProblem signalled(String name) {
        return new SagaProblem(Kind.CONFLICT, "already-signalled", "signal", name);
    }

    /** The step that waits for the signal was skipped, or is done without it. */
    public static SagaProblem signalTooLate(String name) {
        return new SagaProblem(Kind.CONFLICT, "signal-too-late", "signal", name);
    }

    public static SagaProblem noSignal(String name) {
        return new SagaProblem(Kind.NOT_FOUND, "no-signal", "signal", name);
    }

    public static SagaProblem noApproval() {
        return new SagaProblem(Kind.NOT_FOUND, "no-approval");
    }

    public static SagaProblem notAssignee() {
        return new SagaProblem(Kind.FORBIDDEN, "not-an-assignee");
    }

    public static SagaProblem decidedAlready() {
        return new SagaProblem(Kind.CONFLICT, "decided-already");
    }

    public static SagaProblem approvalClosed(Approvals.State state) {
        return new SagaProblem(Kind.CONFLICT, "approval-closed", "state", state.name());
    }

    /** The answers to the form of an approval are wrong; there is at least one error. */
    static SagaProblem badAnswers(List<FieldError> errors) {
        var first = errors.getFirst();
        return new SagaProblem(
                Kind.INVALID, "invalid", Problem.ofField(first.field(), first.message()), errors, List.of());
    }

    /** The payload does not fit the schema of the workflow; there is at least one error. */
    public static SagaProblem badPayload(List<FieldError> errors) {
        var first = errors.getFirst();
        return new SagaProblem(
                Kind.UNPROCESSABLE, "bad-payload", Problem.ofField(first.field(), first.message()), errors, List.of());
    }

    public static SagaProblem auditorsOnly() {
        return new SagaProblem(Kind.FORBIDDEN, "auditors-only");
    }

    public static SagaProblem operatorsOnly() {
        return new SagaProblem(Kind.FORBIDDEN, "operators-only");
    }

    public static SagaProblem noRole() {
        return new SagaProblem(Kind.NOT_FOUND, "no-role");
    }

    public static SagaProblem noSchedule() {
        return new SagaProblem(Kind.NOT_FOUND, "no-schedule");
    }

    public static SagaProblem scheduleTaken(String name) {
        return new SagaProblem(Kind.CONFLICT, "schedule-taken", "name", name);
    }

    public static SagaProblem scheduleRunning() {
        return new SagaProblem(Kind.CONFLICT, "schedule-running");
    }

    public static SagaProblem noService(String name) {
        return new SagaProblem(Kind.NOT_FOUND, "no-service", "service", name);
    }

    public static SagaProblem localService(String name) {
        return new SagaProblem(Kind.CONFLICT, "local-service", "service", name);
    }

    public static SagaProblem noCredentials(String name) {
        return new SagaProblem(Kind.NOT_FOUND, "no-credentials", "service", name);
    }

    public static SagaProblem noSigningKey() {
        return new SagaProblem(Kind.NOT_FOUND, "no-signing-key");
    }

    public static SagaProblem enoughSigningKeys(String name) {
        return new SagaProblem(Kind.CONFLICT, "enough-signing-keys", "service", name);
    }

    public static SagaProblem fixedService(String name) {
        return new SagaProblem(Kind.CONFLICT, "fixed-service", "service", name);
    }

    public static SagaProblem noWorkerService(String name) {
        return new SagaProblem(Kind.CONFLICT, "no-worker-service", "service", name);
    }

    public static SagaProblem noTask() {
        return new SagaProblem(Kind.NOT_FOUND, "no-task");
    }

    /** The lease of the task has ended, or the time of its step. */
    public static SagaProblem taskLost() {
        return new SagaProblem(Kind.CONFLICT, "task-lost");
    }

    public static SagaProblem taskEnded() {
        return new SagaProblem(Kind.CONFLICT, "task-ended");
    }

    /** A task of the saga has what is about to change. */
    public static SagaProblem taskUnderWay() {
        return new SagaProblem(Kind.CONFLICT, "task-under-way");
    }

    /** The saga goes on without the task. */
    public static SagaProblem taskWithdrawn() {
        return new SagaProblem(Kind.CONFLICT, "task-withdrawn");
    }
}
