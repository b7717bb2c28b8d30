package io.hiroba.agents.remote;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.List;

/** A problem with a server of tools, or one of its tools. */
final class ToolServerProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private ToolServerProblem(Kind kind, String code, Text detail, List<FieldError> fields) {
        super(kind, "agents." + code, detail, fields);
    }

    private ToolServerProblem(Kind kind, String code, Object... arguments) {
        this(kind, code, Text.of("agents.problem." + code, arguments), List.of());
    }

    static ToolServerProblem invalid(String field, Text message) {
        return new ToolServerProblem(
                Kind.INVALID, "invalid", Problem.ofField(field, message), List.of(new FieldError(field, message)));
    }

    static ToolServerProblem notFound() {
        return new ToolServerProblem(Kind.NOT_FOUND, "tool-server-not-found");
    }

    static ToolServerProblem toolNotFound() {
        return new ToolServerProblem(Kind.NOT_FOUND, "server-tool-not-found");
    }

    static ToolServerProblem nameTaken(String name) {
        return new ToolServerProblem(Kind.CONFLICT, "tool-server-exists", "name", name);
    }

    static ToolServerProblem tooMany(int max) {
        return new ToolServerProblem(Kind.CONFLICT, "too-many-tool-servers", "max", max);
    }

    /** What is allowed is what was looked at. */
    static ToolServerProblem toolChanged() {
        return new ToolServerProblem(Kind.CONFLICT, "server-tool-changed");
    }

    static ToolServerProblem toolUnusable() {
        return new ToolServerProblem(Kind.UNPROCESSABLE, "server-tool-unusable");
    }

    static ToolServerProblem connectionExpired() {
        return new ToolServerProblem(Kind.CONFLICT, "tool-server-connection-expired");
    }

    static ToolServerProblem notConnected(RemoteFailure failure) {
        var reason = Text.of("agents.server-failure." + failure.kind().code());
        return failure.said().isEmpty()
                ? new ToolServerProblem(Kind.UNPROCESSABLE, "tool-server-not-connected", "reason", reason)
                : new ToolServerProblem(
                        Kind.UNPROCESSABLE,
                        "tool-server-not-connected",
                        Text.of(
                                "agents.problem.tool-server-not-connected-code",
                                "reason",
                                reason,
                                "code",
                                failure.said()),
                        List.of());
    }

    static ToolServerProblem failed(RemoteFailure failure) {
        return new ToolServerProblem(
                Kind.UNPROCESSABLE,
                "tool-server-failed",
                "reason",
                Text.of("agents.server-failure." + failure.kind().code()));
    }
}
