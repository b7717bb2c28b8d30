package io.hiroba.saga;

import io.hiroba.platform.problem.Problem;
import java.util.List;

/** What can go wrong with workflows, sagas and the services they call. */
public final class SagaProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SagaProblem(Kind kind, String code, String detail, List<FieldError> fields) {
        super(kind, "saga." + code, detail, fields);
    }

    private SagaProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, List.of());
    }

    public static SagaProblem invalid(String field, String message) {
        return new SagaProblem(
                Kind.INVALID, "invalid", "`%s` %s.".formatted(field, message), List.of(new FieldError(field, message)));
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

    public static SagaProblem disabled(String name) {
        return new SagaProblem(
                Kind.CONFLICT, "workflow-disabled", "The workflow `%s` is switched off.".formatted(name));
    }

    public static SagaProblem terminal(SagaStatus status) {
        return new SagaProblem(
                Kind.CONFLICT, "terminal", "The saga is %s, and nothing more happens to it.".formatted(status));
    }

    public static SagaProblem compensating() {
        return new SagaProblem(Kind.CONFLICT, "compensating", "The saga is being undone already.");
    }

    public static SagaProblem notStuck() {
        return new SagaProblem(Kind.CONFLICT, "not-stuck", "The saga is not stuck: it goes on by itself.");
    }

    public static SagaProblem signalled(String name) {
        return new SagaProblem(
                Kind.CONFLICT, "already-signalled", "The saga has got the signal `%s` already.".formatted(name));
    }

    public static SagaProblem noSignal(String name) {
        return new SagaProblem(
                Kind.NOT_FOUND, "no-signal", "No step of this saga waits for the signal `%s`.".formatted(name));
    }

    public static SagaProblem auditorsOnly() {
        return new SagaProblem(
                Kind.FORBIDDEN,
                "auditors-only",
                "Sagas are for auditors, operators and admins: ask an admin for a role.");
    }

    public static SagaProblem operatorsOnly() {
        return new SagaProblem(
                Kind.FORBIDDEN, "operators-only", "This is for operators and admins: ask an admin for the role.");
    }

    public static SagaProblem noRole() {
        return new SagaProblem(Kind.NOT_FOUND, "no-role", "This user has no role in sagas.");
    }
}
