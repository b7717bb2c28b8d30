package io.hiroba.records.views;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordRequests;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.query.Queries;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Dashboards over HTTP. */
final class DashboardRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/dashboards";
    private static final String ONE = PATH + "/{dashboard}";

    private final Dashboards dashboards;
    private final Projects projects;
    private final Queries queries;
    private final Idempotency idempotency;
    private final KeysetList<Dashboard, Long> list;

    DashboardRoutes(
            Dashboards dashboards, Projects projects, Queries queries, Idempotency idempotency, Cursors cursors) {
        this.dashboards = dashboards;
        this.projects = projects;
        this.queries = queries;
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "dashboards",
                cursor -> DashboardId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::list);
        routes.post(PATH, this::create);
        routes.get(ONE, this::get);
        routes.patch(ONE, this::change);
        routes.delete(ONE, this::delete);
        routes.get(ONE + "/results", this::results);
    }

    private record CreateBody(String name, @Nullable List<Dashboard.Panel> panels) {}

    private record ChangeBody(
            @Nullable String name, @Nullable List<Dashboard.Panel> panels) {}

    private record DashboardView(
            String id,
            String name,
            String ownerId,
            List<PanelView> panels,
            int version,
            Instant createdAt,
            Instant updatedAt) {}

    /** @param gone whether the caller cannot see something of it, in which case the rest is left out */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record PanelView(
            @Nullable String title,
            @Nullable String schema,
            Dashboard.@Nullable Measure measure,
            Dashboard.@Nullable Grouping groupBy,
            @Nullable JsonNode where,
            boolean wide,
            @Nullable Boolean gone) {

        static PanelView of(Dashboard.Panel panel, Optional<ResolvedPanel> resolved) {
            if (resolved.isEmpty()) {
                return new PanelView(panel.title(), null, null, null, null, panel.isWide(), true);
            }
            var seen = resolved.get();
            var by = seen.by();
            var grouping = panel.groupBy();
            return new PanelView(
                    panel.title(),
                    seen.recordAccess().schema().name(),
                    new Dashboard.Measure(
                            seen.measure().function().name().toLowerCase(Locale.ROOT),
                            seen.measure().attribute()),
                    by == null || grouping == null
                            ? null
                            : new Dashboard.Grouping(by.name(), grouping.unit(), grouping.bins()),
                    seen.where(),
                    panel.isWide(),
                    null);
        }
    }

    private record FiguresView(
            @Nullable String title,
            boolean gone,
            List<GroupFigure> items,
            boolean complete,
            @Nullable BigDecimal bin) {}

    private record GroupFigure(
            @Nullable JsonNode group, @Nullable JsonNode value) {}

    private record ResultsView(List<FiguresView> panels) {}

    private void list(Context ctx) {
        var access = access(ctx);
        ctx.json(list.page(ctx, (after, limit) -> dashboards.list(access, after.orElse(0L), limit))
                .map(each -> view(access, each)));
    }

    private void create(Context ctx) {
        var access = access(ctx).requireEditor();
        var body = Body.exactJson(ctx, ctx.bodyAsBytes(), CreateBody.class);
        var draft = new Dashboard.Draft(body.name(), body.panels() == null ? List.of() : body.panels());
        idempotency.run(ctx, access.user().hex(), tx -> {
            var created = dashboards.create(tx, access, draft);
            var location = "/api/v1/projects/%s/dashboards/%s"
                    .formatted(access.project().id().hex(), created.id().hex());
            return new Answer(
                    201, Map.of("Location", location, "ETag", tag(created)), Json.text(view(access, created)));
        });
    }

    private void get(Context ctx) {
        var access = access(ctx);
        show(ctx, access, dashboards.get(access, id(ctx)));
    }

    private void change(Context ctx) {
        var access = access(ctx).requireEditor();
        var before = dashboards.get(access, id(ctx));
        var expected = RecordRequests.expected(ctx);
        if (expected != null && expected != before.version()) {
            throw RecordsProblem.otherVersion(before.version());
        }
        var body = Body.exactJson(ctx, ctx.bodyAsBytes(), ChangeBody.class);
        var draft = new Dashboard.Draft(
                body.name() == null ? before.name() : body.name(),
                body.panels() == null ? before.panels() : body.panels());
        show(ctx, access, dashboards.change(access, before, draft));
    }

    private void delete(Context ctx) {
        dashboards.delete(access(ctx), id(ctx), RecordRequests.expected(ctx));
        ctx.status(204);
    }

    private void results(Context ctx) {
        var access = access(ctx);
        var zone = Optional.ofNullable(ctx.queryParam("timeZone")).orElse("UTC");
        ctx.json(new ResultsView(dashboards.get(access, id(ctx)).panels().stream()
                .map(panel -> figures(access, panel, zone))
                .toList()));
    }

    private FiguresView figures(ProjectAccess access, Dashboard.Panel panel, String zone) {
        var resolved = dashboards.resolved(access, panel);
        if (resolved.isEmpty()) {
            return new FiguresView(panel.title(), true, List.of(), true, null);
        }
        var figures = PanelFigures.of(queries, access, resolved.get(), zone);
        return new FiguresView(
                panel.title(),
                false,
                figures.result().rows().stream()
                        .map(row -> new GroupFigure(
                                row.keys().isEmpty() ? null : row.keys().getFirst(),
                                row.figures().getFirst()))
                        .toList(),
                figures.result().complete(),
                figures.bin());
    }

    private void show(Context ctx, ProjectAccess access, Dashboard dashboard) {
        ctx.header("ETag", tag(dashboard)).json(view(access, dashboard));
    }

    private DashboardView view(ProjectAccess access, Dashboard dashboard) {
        return new DashboardView(
                dashboard.id().hex(),
                dashboard.name(),
                dashboard.owner().hex(),
                dashboard.panels().stream()
                        .map(panel -> PanelView.of(panel, dashboards.resolved(access, panel)))
                        .toList(),
                dashboard.version(),
                dashboard.id().createdAt(),
                dashboard.updatedAt());
    }

    private static String tag(Dashboard dashboard) {
        return "\"" + dashboard.version() + "\"";
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    private static DashboardId id(Context ctx) {
        return DashboardId.parse(ctx.pathParam("dashboard"));
    }
}
