package io.hiroba.saga.workflow;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Optional;

/** Workflows over HTTP. */
public final class WorkflowRoutes implements Routes {

    private static final String PATH = "/api/v1/workflows";
    private static final String LIST = "workflows";
    private static final String VERSIONS = "workflow-versions";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final Workflows workflows;
    private final Cursors cursors;

    public WorkflowRoutes(Workflows workflows, Cursors cursors) {
        this.workflows = workflows;
        this.cursors = cursors;
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
        var format = Format.ofMediaType(type == null ? "" : type)
                .orElseThrow(() -> HttpProblem.unsupportedMediaType("application/yaml or application/json"));
        var registration = workflows.register(caller, Body.text(ctx), format);
        var version = registration.version();
        if (registration.created()) {
            ctx.status(201).header("Location", "%s/%s?version=%d".formatted(PATH, version.name(), version.version()));
        }
        ctx.json(WorkflowView.Item.of(version));
    }

    private void list(Context ctx) {
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var after = cursors.read(LIST, request).map(cursor -> cursor.text(0));
        var found = workflows.list(Caller.of(ctx), after, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), last -> cursors.write(LIST, Cursor.of(last.name())))
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
            throw HttpProblem.invalid("version", "must be a number");
        }
        return Optional.of(Integer.valueOf(text));
    }

    private void versions(Context ctx) {
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var before = cursors.read(VERSIONS, request).map(cursor -> (int) cursor.number(0));
        var found = workflows.versions(Caller.of(ctx), ctx.pathParam("name"), before, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(WorkflowView.Item::of));
    }

    private String cursor(WorkflowVersion last) {
        return cursors.write(VERSIONS, Cursor.of(Integer.toString(last.version())));
    }

    private record Change(boolean enabled) {}

    private void setEnabled(Context ctx) {
        var caller = Caller.of(ctx);
        var enabled = Body.json(ctx, Change.class).enabled();
        ctx.json(WorkflowView.Item.of(workflows.setEnabled(caller, ctx.pathParam("name"), enabled)));
    }
}
