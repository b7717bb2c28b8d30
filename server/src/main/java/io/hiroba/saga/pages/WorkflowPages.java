package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.Role;
import io.hiroba.saga.Roles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Workflows: what there is, how each goes, and starting one. */
public final class WorkflowPages implements Routes {

    private static final int PAGE = 50;
    private static final int MOST = 100;
    private static final int VERSIONS = 50;
    private static final String LIST = "pages.workflows";

    private final Shell shell;
    private final Times times;
    private final Workflows workflows;
    private final Sagas sagas;
    private final Roles roles;
    private final Cursors cursors;

    public WorkflowPages(Shell shell, Times times, Workflows workflows, Sagas sagas, Roles roles, Cursors cursors) {
        this.shell = shell;
        this.times = times;
        this.workflows = workflows;
        this.sagas = sagas;
        this.roles = roles;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/workflows", this::list);
        routes.get("/workflows/{name}", ctx -> show(ctx, Form.EMPTY));
        routes.post("/workflows/{name}/enabled", this::enable);
        routes.post("/workflows/{name}/start", this::start);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, PAGE, MOST);
        var after = cursors.read(LIST, request).map(cursor -> cursor.text(0));
        var found = workflows.list(caller, after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var when = times.of(ctx);
        var parameters = new HashMap<String, Object>();
        parameters.put(
                "workflows",
                shown.stream().map(version -> WorkflowItem.of(version, when)).toList());
        parameters.put(
                "more",
                found.size() > shown.size()
                        ? "/workflows?after="
                                + cursors.write(LIST, Cursor.of(shown.getLast().name()))
                        : "");
        shell.page(ctx, "Workflows", "saga/workflows", parameters);
    }

    private void enable(Context ctx) {
        var name = ctx.pathParam("name");
        boolean enabled = Boolean.parseBoolean(ctx.formParam("enabled"));
        workflows.setEnabled(Caller.of(ctx), name, enabled);
        shell.seeOther(ctx, path(name), enabled ? "Sagas can be started again." : "No more sagas are started.");
    }

    private void start(Context ctx) {
        var name = ctx.pathParam("name");
        var form = Form.of(ctx, "payload", "correlationId");
        try {
            var correlation = form.value("correlationId").strip();
            var id = sagas.start(
                    Caller.of(ctx),
                    new NewSaga(
                            name,
                            JsonField.read("payload", form.value("payload")),
                            correlation.isEmpty() ? null : correlation,
                            null,
                            null));
            shell.seeOther(ctx, "/sagas/" + id, "The saga is started.");
        } catch (Problem refusal) {
            if (refusal.kind() == Problem.Kind.FORBIDDEN || refusal.kind() == Problem.Kind.NOT_FOUND) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(name));
            show(ctx, form.refused(refusal));
        }
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var name = ctx.pathParam("name");
        var details = workflows.one(caller, name, version(ctx));
        var versions = workflows.versions(caller, name, Optional.empty(), VERSIONS);
        var role = roles.of(caller);
        var rights = new WorkflowSheet.Rights(role == Role.OPERATOR || role == Role.ADMIN, role == Role.ADMIN);
        var sheet = WorkflowSheet.of(details, versions, rights, times.of(ctx));
        shell.page(ctx, name, "saga/workflow", Map.of("workflow", sheet, "form", form));
    }

    /** What is no number is the number of no version. */
    private static Optional<Integer> version(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("version"))
                .map(text -> text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0);
    }

    static String path(String name) {
        return "/workflows/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
