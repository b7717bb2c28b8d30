package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectId;
import io.hiroba.records.RecordsProblem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Bulk edits over HTTP. */
final class BulkEditRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/bulk-edits";
    private static final String EDIT = PATH + "/{edit}";

    private final BulkEdits edits;

    BulkEditRoutes(BulkEdits edits) {
        this.edits = edits;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, FormerNames.noting(this::start));
        routes.get(EDIT, ctx -> show(ctx, edits.get(Caller.of(ctx), project(ctx), id(ctx))));
        routes.post(EDIT + "/stop", ctx -> show(ctx, edits.stop(Caller.of(ctx), project(ctx), id(ctx))));
        routes.post(EDIT + "/undo", ctx -> accepted(ctx, edits.undo(Caller.of(ctx), project(ctx), id(ctx))));
    }

    private record StartBody(
            String schema,
            @Nullable JsonNode where,
            @Nullable Boolean all,
            String operation,
            @Nullable JsonNode values,
            @Nullable Long expected) {

        BulkEdits.Request request() {
            boolean deletes = operation.equals("delete");
            if (!deletes && !operation.equals("update")) {
                throw RecordsProblem.invalid("operation", Text.of("http.field.one-of", "values", "delete, update"));
            }
            if (deletes != (values == null || values.isNull())) {
                throw RecordsProblem.invalid("values", Text.of("records.bulk.values"));
            }
            var condition = where == null || where.isNull() ? null : where;
            return new BulkEdits.Request(
                    schema, condition, Boolean.TRUE.equals(all), deletes ? null : values, expected);
        }
    }

    private void start(Context ctx) {
        var request = Body.exactJson(ctx, ctx.bodyAsBytes(), StartBody.class).request();
        if (QueryParams.of(ctx).flag("preview")) {
            long count = edits.count(Caller.of(ctx), project(ctx), request.schema(), request.condition());
            ctx.json(Map.of("count", count));
        } else {
            accepted(ctx, edits.start(Caller.of(ctx), project(ctx), request));
        }
    }

    private record RefusalView(String id, String reason) {}

    /**
     * A bulk edit.
     *
     * @param total how many records matched when it was started
     * @param undoable whether it can be undone now
     */
    private record EditView(
            String id,
            int schema,
            String operation,
            @Nullable String undoes,
            String state,
            long total,
            long written,
            long refused,
            List<RefusalView> refusals,
            @Nullable String failure,
            String startedBy,
            Instant createdAt,
            @Nullable Instant endedAt,
            boolean undoable) {

        static EditView of(BulkEdit edit, boolean undoable, Language language) {
            var undoes = edit.undoes();
            var failure = edit.failure();
            return new EditView(
                    Ids.hex(edit.id()),
                    edit.schema(),
                    edit.operation().name().toLowerCase(Locale.ROOT),
                    undoes == null ? null : Ids.hex(undoes),
                    edit.state().name().toLowerCase(Locale.ROOT),
                    edit.progress().total(),
                    edit.progress().written(),
                    edit.progress().refused(),
                    edit.progress().refusals().stream()
                            .map(each ->
                                    new RefusalView(each.row(), each.reason().in(language)))
                            .toList(),
                    failure == null ? null : failure.in(language),
                    edit.by().hex(),
                    edit.createdAt(),
                    edit.endedAt(),
                    undoable);
        }
    }

    private void accepted(Context ctx, BulkEdit edit) {
        ctx.status(202);
        ctx.header(
                "Location",
                "/api/v1/projects/%s/bulk-edits/%s".formatted(edit.project().hex(), Ids.hex(edit.id())));
        show(ctx, edit);
    }

    private void show(Context ctx, BulkEdit edit) {
        ctx.json(EditView.of(edit, edits.isUndoable(edit), RequestLanguage.of(ctx)));
    }

    private static ProjectId project(Context ctx) {
        return ProjectId.parse(ctx.pathParam("project"));
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("edit"));
    }
}
