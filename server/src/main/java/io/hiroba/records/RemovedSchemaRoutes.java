package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Schemas that are deleted, restored and erased, over HTTP. */
final class RemovedSchemaRoutes implements Routes {

    private static final String PROJECT = "/api/v1/projects/{project}";
    private static final String REMOVED = PROJECT + "/removed-schemas";

    private final Projects projects;
    private final Schemas schemas;
    private final RemovedSchemas removed;

    RemovedSchemaRoutes(Projects projects, Schemas schemas, RemovedSchemas removed) {
        this.projects = projects;
        this.schemas = schemas;
        this.removed = removed;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.delete(PROJECT + "/schemas/{schema}", FormerNames.noting(this::delete));
        routes.get(REMOVED, this::list);
        routes.post(REMOVED + "/{removed}/restore", this::restore);
        routes.delete(REMOVED + "/{removed}", this::erase);
    }

    /**
     * @param records how many there are
     * @param contents what goes with the schema, in words
     * @param refusal the reason why it cannot be deleted; null if it can
     */
    private record PreviewView(
            boolean allowed,
            long records,
            List<String> contents,
            @Nullable String refusal) {}

    private void delete(Context ctx) {
        var access = access(ctx);
        var schema = ctx.pathParam("schema");
        if (!QueryParams.of(ctx).flag("preview")) {
            removed.remove(access, schema);
            ctx.status(204);
            return;
        }
        var language = RequestLanguage.of(ctx);
        var preview = removed.preview(access, schema);
        var refusal = preview.refusal();
        ctx.json(new PreviewView(
                refusal == null,
                preview.records(),
                preview.contents().stream().map(each -> each.in(language)).toList(),
                refusal == null ? null : refusal.in(language)));
    }

    private record RemovedView(int id, String name, String removedBy, Instant removedAt, Instant until) {}

    private record ListView(List<RemovedView> items) {}

    private void list(Context ctx) {
        ctx.json(new ListView(removed.list(access(ctx)).stream()
                .map(each -> new RemovedView(each.id(), each.name(), each.by().hex(), each.at(), each.until()))
                .toList()));
    }

    private record RestoreBody(@Nullable String name) {}

    private void restore(Context ctx) {
        var access = access(ctx);
        var name = ctx.bodyAsBytes().length == 0
                ? null
                : Body.json(ctx, RestoreBody.class).name();
        var restored = removed.restore(access, ctx.pathParam("removed"), name);
        ctx.json(SchemaView.of(access, restored, schemas.list(access)));
    }

    private void erase(Context ctx) {
        removed.erase(access(ctx), ctx.pathParam("removed"));
        ctx.status(204);
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")))
                .requireOwner();
    }
}
