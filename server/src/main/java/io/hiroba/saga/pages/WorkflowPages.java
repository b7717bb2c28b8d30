package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The pages that list workflows, show one and start a saga of it. */
public final class WorkflowPages implements Routes {

    private static final int MAX_VERSIONS = 50;

    private final Shell shell;
    private final Readers readers;
    private final Workflows workflows;
    private final Sagas sagas;
    private final SagaRoles roles;
    private final KeysetList<WorkflowVersion, String> list;

    WorkflowPages(Shell shell, Readers readers, Workflows workflows, Sagas sagas, SagaRoles roles, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.workflows = workflows;
        this.sagas = sagas;
        this.roles = roles;
        list = new KeysetList<>(
                cursors, "pages.workflows", 50, 100, cursor -> cursor.text(0), last -> Cursor.of(last.name()));
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
        var page = list.page(ctx, (after, limit) -> workflows.list(caller, after, limit));
        var next = page.next();
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("saga.workflows.title"),
                "saga/workflows",
                Map.of(
                        "workflows",
                        page.items().stream()
                                .map(version -> WorkflowRow.of(version, reader))
                                .toList(),
                        "more",
                        next == null ? "" : "/workflows?after=" + next));
    }

    private void enable(Context ctx) {
        var name = ctx.pathParam("name");
        boolean enabled = Boolean.parseBoolean(ctx.formParam("enabled"));
        workflows.setEnabled(Caller.of(ctx), name, enabled);
        shell.seeOther(
                ctx,
                path(name),
                enabled ? Text.of("saga.workflow.enabled-notice") : Text.of("saga.workflow.disabled-notice"));
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
            shell.seeOther(ctx, "/sagas/" + id, Text.of("saga.workflow.started-notice"));
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
        var versions = workflows.versions(caller, name, Optional.empty(), MAX_VERSIONS);
        var role = roles.of(caller);
        var rights = new WorkflowPageModel.Rights(
                role == SagaRole.OPERATOR || role == SagaRole.ADMIN, role == SagaRole.ADMIN);
        var sheet = WorkflowPageModel.of(details, versions, rights, readers.reader(ctx));
        shell.page(ctx, Text.verbatim(name), "saga/workflow", Map.of("workflow", sheet, "form", form));
    }

    /** A malformed number means a version that does not exist. */
    private static Optional<Integer> version(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("version"))
                .map(text -> text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0);
    }

    static String path(String name) {
        return "/workflows/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    /**
     * A row of a list of versions.
     *
     * @param made how long ago that was
     */
    public record WorkflowRow(String name, int version, boolean isEnabled, String made, String exact) {

        static WorkflowRow of(WorkflowVersion version, Reader reader) {
            return new WorkflowRow(
                    version.name(),
                    version.version(),
                    version.enabled(),
                    reader.ago(version.createdAt()),
                    reader.exact(version.createdAt()));
        }
    }
}
