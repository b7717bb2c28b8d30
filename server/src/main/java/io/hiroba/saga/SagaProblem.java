package io.hiroba.saga;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** The problems of workflows, sagas and services. */
public final class SagaProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SagaProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "saga." + code, detail, fields);
    }

    private SagaProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "saga." + code, detail, fields);
    }

    private SagaProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    public static SagaProblem invalid(String field, Text message) {
        return new SagaProblem(Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    public static SagaProblem invalid(String field, String message) {
        return invalid(field, Text.verbatim(message));
    }

    public static SagaProblem notFound() {
        return new SagaProblem(Kind.NOT_FOUND, "not-found", "There is no such saga.");
    }

    public static SagaProblem noWorkflow(String name) {
        return new SagaProblem(
                Kind.NOT_FOUND,
                "no-workflow",
                "There is no workflow `%s`: register it with POST /api/v1/workflows.".formatted(name));
    }

    /** The definition is invalid: {@code mistakes} have the lines and reasons. */
    public static SagaProblem badWorkflow(String detail, List<FieldError> mistakes) {
        return new SagaProblem(Kind.INVALID, "bad-workflow", detail, mistakes);
    }

    /** A file of the configured folder is no valid workflow. */
    public static SagaProblem badFile(String file, String reason) {
        return new SagaProblem(Kind.INVALID, "bad-workflow", "%s (saga.workflows): %s".formatted(file, reason));
    }

    public static SagaProblem noVersion(String name, int version) {
        return new SagaProblem(
                Kind.NOT_FOUND, "no-workflow", "There is no version %d of the workflow `%s`.".formatted(version, name));
    }

    public static SagaProblem versionConflict(String name, int newest, int given) {
        return new SagaProblem(
                Kind.CONFLICT,
                "version-conflict",
                "The newest version of `%s` is %d. A new one must have version %d or none, not %d."
                        .formatted(name, newest, newest + 1, given));
    }

    /** Built-in workflows rely on their payload, so only the program starts them. */
    public static SagaProblem builtInWorkflow(String name) {
        return new SagaProblem(Kind.FORBIDDEN, "own-workflow", "The workflow `%s` is built in.".formatted(name));
    }

    /** Only built-in workflows may call the program's local steps. */
    public static SagaProblem reservedService(String name) {
        return new SagaProblem(
                Kind.FORBIDDEN,
                "own-service",
                "The service `%s` is reserved for built-in workflows. Choose another name.".formatted(name));
    }

    public static SagaProblem disabled(String name) {
        return new SagaProblem(Kind.CONFLICT, "workflow-disabled", "The workflow `%s` is disabled.".formatted(name));
    }

    public static SagaProblem terminal(SagaStatus status) {
        return new SagaProblem(Kind.CONFLICT, "terminal", "The saga has already ended as %s.".formatted(status));
    }

    public static SagaProblem compensating() {
        return new SagaProblem(Kind.CONFLICT, "compensating", "The saga is already being undone.");
    }

    public static SagaProblem stuck() {
        return new SagaProblem(
                Kind.CONFLICT, "stuck", "The saga is already being undone and needs attention. Retry it instead.");
    }

    public static SagaProblem notStuck() {
        return new SagaProblem(Kind.CONFLICT, "not-stuck", "The saga does not need attention: it goes on by itself.");
    }

    public static SagaProblem signalled(String name) {
        return new SagaProblem(
                Kind.CONFLICT, "already-signalled", "The saga has already received the signal `%s`.".formatted(name));
    }

    public static SagaProblem noSignal(String name) {
        return new SagaProblem(
                Kind.NOT_FOUND, "no-signal", "No step of this saga waits for the signal `%s`.".formatted(name));
    }

    public static SagaProblem auditorsOnly() {
        return new SagaProblem(
                Kind.FORBIDDEN,
                "auditors-only",
                "Only auditors, operators and admins can see sagas. Ask an admin for a role.");
    }

    public static SagaProblem operatorsOnly() {
        return new SagaProblem(
                Kind.FORBIDDEN, "operators-only", "Only operators and admins can do this. Ask an admin for the role.");
    }

    public static SagaProblem noRole() {
        return new SagaProblem(Kind.NOT_FOUND, "no-role", "This user has no role in sagas.");
    }

    public static SagaProblem noService(String name) {
        return new SagaProblem(Kind.NOT_FOUND, "no-service", "There is no service `%s`.".formatted(name));
    }

    public static SagaProblem fixedService(String name) {
        return new SagaProblem(
                Kind.CONFLICT,
                "fixed-service",
                "The service `%s` is built in or set in the configuration. Choose another name.".formatted(name));
    }
}
