package io.hiroba.records.views;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordRequests;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.query.Queries;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Views over HTTP. */
final class ViewRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/schemas/{schema}/views";
    private static final String ONE = PATH + "/{view}";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final Views views;
    private final Projects projects;
    private final Queries queries;
    private final Idempotency idempotency;
    private final KeysetList<ViewRow, Long> list;

    ViewRoutes(Views views, Projects projects, Queries queries, Idempotency idempotency, Cursors cursors) {
        this.views = views;
        this.projects = projects;
        this.queries = queries;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "views",
                cursor -> ViewId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, FormerNames.noting(this::list));
        routes.post(PATH, FormerNames.noting(this::create));
        routes.get(ONE, FormerNames.noting(this::get));
        routes.patch(ONE, FormerNames.noting(this::change));
        routes.delete(ONE, FormerNames.noting(this::delete));
        routes.get(ONE + "/records", FormerNames.noting(this::records));
    }

    /** @param visibility {@code private} or {@code project} */
    private record ViewBody(
            String name,
            @Nullable String kind,
            @Nullable String visibility,
            @Nullable JsonNode filter,
            @Nullable List<ViewDefinition.SortKey> sort,
            @Nullable List<ViewDefinition.Column> columns,
            ViewDefinition.@Nullable Grouping groupBy,
            @Nullable List<ViewDefinition.Sum> sums,
            ViewDefinition.@Nullable Settings settings) {

        static ViewBody of(ViewRow view) {
            var definition = view.definition();
            return new ViewBody(
                    view.name(),
                    view.kind().label(),
                    view.shared() ? "project" : "private",
                    definition.filter(),
                    definition.sort(),
                    definition.columns(),
                    definition.groupBy(),
                    definition.sums(),
                    definition.settings());
        }

        ViewDraft draft() {
            var shown = kind == null ? "grid" : kind;
            var seen = visibility == null ? "private" : visibility;
            if (!seen.equals("private") && !seen.equals("project")) {
                throw RecordsProblem.invalid(
                        "visibility", Text.of("records.query.either", "one", "private", "other", "project"));
            }
            return new ViewDraft(
                    name,
                    ViewRow.Kind.named(shown)
                            .orElseThrow(() -> RecordsProblem.invalid(
                                    "kind",
                                    Text.of("http.field.one-of", "values", "grid, board, calendar, gallery, form"))),
                    seen.equals("project"),
                    new ViewDefinition(filter, sort, columns, groupBy, sums, settings));
        }
    }

    /** @param gone ids of attributes that the view names and the caller cannot see */
    private record ViewAnswer(
            String id,
            String schema,
            String name,
            String kind,
            String visibility,
            String ownerId,
            boolean mine,
            int version,
            @Nullable JsonNode filter,
            List<ViewDefinition.SortKey> sort,
            List<ViewDefinition.Column> columns,
            ViewDefinition.@Nullable Grouping groupBy,
            List<ViewDefinition.Sum> sums,
            ViewDefinition.Settings settings,
            Set<String> gone,
            Instant createdAt,
            Instant updatedAt) {

        static ViewAnswer of(ProjectAccess access, ResolvedView resolved) {
            var view = resolved.view();
            var definition = resolved.definition();
            return new ViewAnswer(
                    view.id().hex(),
                    resolved.recordAccess().schema().name(),
                    view.name(),
                    view.kind().label(),
                    view.shared() ? "project" : "private",
                    view.owner().hex(),
                    view.owner().equals(access.user()),
                    view.version(),
                    definition.filter(),
                    definition.sort() == null ? List.of() : definition.sort(),
                    definition.columnList(),
                    definition.groupBy(),
                    definition.sums() == null ? List.of() : definition.sums(),
                    definition.set(),
                    resolved.gone(),
                    view.id().createdAt(),
                    view.updatedAt());
        }
    }

    private void list(Context ctx) {
        var access = access(ctx);
        var schema = schema(ctx, access);
        ctx.json(list.page(ctx, (after, limit) -> views.list(access, schema, after.orElse(0L), limit))
                .map(each -> answer(access, schema, each)));
    }

    private void create(Context ctx) {
        var access = access(ctx);
        var schema = schema(ctx, access);
        var body = Body.exactJson(ctx, ctx.bodyAsBytes(), ViewBody.class);
        var checked = views.check(access, schema, body.draft(), null);
        idempotency.run(ctx, access.user().hex(), tx -> {
            var created = views.create(tx, access, schema, checked);
            var location = "/api/v1/projects/%s/schemas/%d/views/%s"
                    .formatted(
                            access.project().id().hex(),
                            schema.id(),
                            created.id().hex());
            return new Answer(
                    201,
                    Map.of("Location", location, "ETag", tag(created)),
                    Json.text(answer(access, schema, created)));
        });
    }

    private void get(Context ctx) {
        var access = access(ctx);
        var schema = schema(ctx, access);
        show(ctx, access, schema, views.get(access, schema, id(ctx)));
    }

    private void change(Context ctx) {
        var access = access(ctx);
        var schema = schema(ctx, access);
        var before = views.get(access, schema, id(ctx));
        var expected = RecordRequests.expected(ctx);
        if (expected != null && expected != before.version()) {
            throw RecordsProblem.otherVersion(before.version());
        }
        var given = Body.exactJson(ctx, ctx.bodyAsBytes(), JsonNode.class);
        if (!(given instanceof ObjectNode changes)) {
            throw RecordsProblem.invalid("body", Text.of("records.field.object"));
        }
        var merged = (ObjectNode) Json.exact().valueToTree(ViewBody.of(before));
        merged.setAll(changes);
        var body = Body.exactJson(ctx, Json.exact().writeValueAsBytes(merged), ViewBody.class);
        var checked = views.check(access, schema, body.draft(), before);
        show(ctx, access, schema, views.change(access, schema, before, checked));
    }

    private void delete(Context ctx) {
        var access = access(ctx);
        views.delete(access, schema(ctx, access), id(ctx), RecordRequests.expected(ctx));
        ctx.status(204);
    }

    private void records(Context ctx) {
        var access = access(ctx);
        var schema = schema(ctx, access);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var query = views.resolved(access, schema, views.get(access, schema, id(ctx)))
                .query()
                .limit(request.limit())
                .after(request.after().orElse(null));
        ctx.contentType("application/json")
                .result(queries.json(access.caller(), access.project().id(), query));
    }

    private void show(Context ctx, ProjectAccess access, Schema schema, ViewRow view) {
        ctx.header("ETag", tag(view)).json(answer(access, schema, view));
    }

    private ViewAnswer answer(ProjectAccess access, Schema schema, ViewRow view) {
        return ViewAnswer.of(access, views.resolved(access, schema, view));
    }

    private static String tag(ViewRow view) {
        return "\"" + view.version() + "\"";
    }

    private Schema schema(Context ctx, ProjectAccess access) {
        return views.schema(access, ctx.pathParam("schema"));
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    private static ViewId id(Context ctx) {
        return ViewId.parse(ctx.pathParam("view"));
    }
}
