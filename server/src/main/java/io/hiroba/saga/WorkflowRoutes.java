package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Optional;

/** The API of workflows. */
final class WorkflowRoutes implements Routes {

    private static final String PATH = "/api/v1/workflows";

    private final Workflows workflows;
    private final WorkflowWarnings warnings;
    private final KeysetList<WorkflowVersion, String> list;
    private final KeysetList<WorkflowVersion, Integer> versions;

    WorkflowRoutes(Workflows workflows, WorkflowWarnings warnings, Cursors cursors) {
        this.workflows = workflows;
        this.warnings = warnings;
        list = list(cursors);
        versions = new KeysetList<>(
                cursors,
                "workflow-versions",
                cursor -> (int) cursor.number(0),
                last -> Cursor.of(Integer.toString(last.version())));
    }

    /** The list of workflows by name. */
    static KeysetList<WorkflowVersion, String> list(Cursors cursors) {
        return new KeysetList<>(cursors, "workflows", cursor -> cursor.text(0), last -> Cursor.of(last.name()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::register);
        routes.get(PATH, this::list);
        routes.get(PATH + "/{name}", this::get);
        routes.get(PATH + "/{name}/versions", this::versions);
        routes.patch(PATH + "/{name}", this::setEnabled);
    }

    private void register(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var type = ctx.contentType();
        var format = WorkflowFormat.ofMediaType(type == null ? "" : type)
                .orElseThrow(() -> HttpProblem.unsupportedMediaType("application/yaml", "application/json"));
        var registration = workflows.register(caller, Body.text(ctx), format);
        var version = registration.version();
        if (registration.created()) {
            ctx.status(201).header("Location", "%s/%s?version=%d".formatted(PATH, version.name(), version.version()));
        }
        ctx.json(WorkflowView.Registered.of(version, warnings.of(version), RequestLanguage.of(ctx)));
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(list.page(ctx, (after, limit) -> workflows.list(caller, after, limit))
                .map(WorkflowView.Item::of));
    }

    private void get(Context ctx) {
        ctx.json(WorkflowView.of(workflows.one(Caller.of(ctx), ctx.pathParam("name"), version(ctx))));
    }

    private static Optional<Integer> version(Context ctx) {
        var text = ctx.queryParam("version");
        if (text == null || text.isEmpty()) {
            return Optional.empty();
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw HttpProblem.invalid("version", Text.of("saga.field.number"));
        }
        return Optional.of(Integer.valueOf(text));
    }

    private void versions(Context ctx) {
        var caller = Caller.of(ctx);
        var name = ctx.pathParam("name");
        ctx.json(versions.page(ctx, (before, limit) -> workflows.versions(caller, name, before, limit))
                .map(WorkflowView.Item::of));
    }

    private record EnabledBody(boolean enabled) {}

    private void setEnabled(Context ctx) {
        var caller = Caller.of(ctx);
        var enabled = Body.json(ctx, EnabledBody.class).enabled();
        ctx.json(WorkflowView.Item.of(workflows.setEnabled(caller, ctx.pathParam("name"), enabled)));
    }
}
