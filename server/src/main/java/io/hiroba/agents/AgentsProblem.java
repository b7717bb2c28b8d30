package io.hiroba.agents;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** A problem with an agent or one of its runs. */
final class AgentsProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private AgentsProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "agents." + code, detail, fields);
    }

    private AgentsProblem(Kind kind, String code) {
        this(kind, code, Text.of("agents.problem." + code), List.of());
    }

    static AgentsProblem invalid(String field, Text message) {
        return new AgentsProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    /** Several fields are at fault, or one for several reasons. */
    static AgentsProblem invalid(List<FieldError> errors) {
        return new AgentsProblem(Kind.INVALID, "invalid", Text.of("http.problem.invalid"), errors);
    }

    static AgentsProblem notFound() {
        return new AgentsProblem(Kind.NOT_FOUND, "not-found");
    }

    static AgentsProblem runNotFound() {
        return new AgentsProblem(Kind.NOT_FOUND, "run-not-found");
    }

    static AgentsProblem approvalNotFound() {
        return new AgentsProblem(Kind.NOT_FOUND, "approval-not-found");
    }

    static AgentsProblem approvalClosed() {
        return new AgentsProblem(Kind.CONFLICT, "approval-closed");
    }

    static AgentsProblem approvalImpossible() {
        return new AgentsProblem(Kind.CONFLICT, "approval-impossible");
    }

    static AgentsProblem replyNotFound() {
        return new AgentsProblem(Kind.NOT_FOUND, "reply-not-found");
    }

    static AgentsProblem ownReply() {
        return new AgentsProblem(Kind.FORBIDDEN, "own-reply");
    }

    static AgentsProblem runEnded() {
        return new AgentsProblem(Kind.CONFLICT, "run-ended");
    }

    static AgentsProblem triggerNotFound() {
        return new AgentsProblem(Kind.NOT_FOUND, "trigger-not-found");
    }

    static AgentsProblem notMaker() {
        return new AgentsProblem(Kind.FORBIDDEN, "not-maker");
    }

    static AgentsProblem notYours() {
        return new AgentsProblem(Kind.FORBIDDEN, "not-yours");
    }

    static AgentsProblem pausedByAdmin() {
        return new AgentsProblem(Kind.FORBIDDEN, "paused-by-admin");
    }

    static AgentsProblem makerNotFound() {
        return new AgentsProblem(Kind.NOT_FOUND, "maker-not-found");
    }

    static AgentsProblem modelNotAllowed() {
        return new AgentsProblem(Kind.NOT_FOUND, "model-not-allowed");
    }

    static AgentsProblem nameTaken(String name) {
        return new AgentsProblem(
                Kind.CONFLICT, "name-taken", Text.of("agents.problem.name-taken", "name", name), List.of());
    }

    static AgentsProblem tooManyAgents(int max) {
        return new AgentsProblem(
                Kind.CONFLICT, "too-many-agents", Text.of("agents.problem.too-many-agents", "max", max), List.of());
    }

    static AgentsProblem tooManyMade(int max) {
        return new AgentsProblem(
                Kind.RATE_LIMITED, "too-many-made", Text.of("agents.problem.too-many-made", "max", max), List.of());
    }

    static AgentsProblem tooManyTriggers(int max) {
        return new AgentsProblem(
                Kind.CONFLICT, "too-many-triggers", Text.of("agents.problem.too-many-triggers", "max", max), List.of());
    }
}
