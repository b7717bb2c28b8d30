package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.query.Queries;
import io.hiroba.records.views.Dashboard;
import io.hiroba.records.views.DashboardId;
import io.hiroba.records.views.Dashboards;
import io.hiroba.records.views.PanelFigures;
import io.hiroba.records.views.ResolvedPanel;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The dashboards of a project: pages of charts and figures, which each reader sees by their own rules. */
public final class DashboardPages implements Routes {

    private static final String ALL = RecordPaths.PROJECT + "/-/dashboards";
    private static final String ONE = ALL + "/{dashboard}";
    private static final String PANEL = ONE + "/panels/{place}";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;
    private final Dashboards dashboards;

    DashboardPages(
            Shell shell,
            Readers readers,
            PageContext context,
            RecordTitles titles,
            Queries queries,
            Dashboards dashboards) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
        this.dashboards = dashboards;
    }

    /** A dashboard in a list. */
    public record Item(String path, String name, int panels) {}

    /**
     * A dashboard with its panels.
     *
     * @param query the version as a query string, which forms send back
     */
    public record View(ProjectHeader project, String path, String name, String query, List<PanelView> panels) {

        public View {
            panels = List.copyOf(panels);
        }
    }

    /**
     * A drawn panel.
     *
     * @param title the heading
     * @param ownTitle the title that was given to it
     * @param conditions its filter in words
     * @param drawing null if the reader cannot see something of it
     * @param open the URL of the chart alone; null where it has none
     */
    public record PanelView(
            String title,
            String ownTitle,
            String schema,
            List<String> conditions,
            boolean isWide,
            @Nullable ChartDrawing drawing,
            @Nullable String open) {

        public PanelView {
            conditions = List.copyOf(conditions);
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ALL, ctx -> list(ctx, context.project(ctx), Form.EMPTY));
        routes.post(ALL, this::create);
        routes.get(ONE, ctx -> show(ctx, context.project(ctx), Form.EMPTY));
        routes.post(ONE, this::rename);
        routes.post(ONE + "/delete", this::delete);
        routes.post(
                PANEL,
                ctx -> change(
                        ctx,
                        (before, place) -> before.replacing(
                                place,
                                before.panels()
                                        .get(place)
                                        .with(ctx.formParam("title"), ctx.formParam("wide") != null))));
        routes.post(
                PANEL + "/up",
                ctx -> change(ctx, (before, place) -> {
                    if (place == 0) {
                        throw RecordsProblem.invalid("place", Text.of("http.field.unknown"));
                    }
                    return before.raising(place);
                }));
        routes.post(PANEL + "/remove", ctx -> change(ctx, Dashboard::removing));
    }

    static String path(ProjectAccess access, Dashboard dashboard) {
        return RecordPaths.part(
                access.project().id(), "dashboards/" + dashboard.id().hex());
    }

    private void list(Context ctx, ProjectAccess access, Form form) {
        var items = dashboards.list(access, 0, Dashboards.MAX_DASHBOARDS).stream()
                .map(each ->
                        new Item(path(access, each), each.name(), each.panels().size()))
                .toList();
        shell.page(
                ctx,
                Text.of("records.dashboards"),
                "records/dashboards",
                Map.of("project", ProjectHeader.of(access), "dashboards", items, "form", form));
    }

    private void create(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var form = Form.of(ctx, "name");
        try {
            var created = dashboards.create(access, new Dashboard.Draft(form.value("name"), List.of()));
            shell.seeOther(ctx, path(access, created));
        } catch (Problem refusal) {
            refused(ctx, refusal, RecordPaths.part(access.project().id(), "dashboards"));
            list(ctx, access, form.refused(refusal));
        }
    }

    private void rename(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var form = Form.of(ctx, "name");
        var before = known(ctx, access);
        try {
            dashboards.change(access, before, new Dashboard.Draft(form.value("name"), before.panels()));
            shell.seeOther(ctx, path(access, before), Text.of("records.saved"));
        } catch (Problem refusal) {
            refused(ctx, refusal, path(access, before));
            show(ctx, access, form.refused(refusal));
        }
    }

    private void delete(Context ctx) {
        var access = context.project(ctx).requireEditor();
        dashboards.delete(access, id(ctx), null);
        shell.seeOther(
                ctx, RecordPaths.part(access.project().id(), "dashboards"), Text.of("records.dashboard-deleted"));
    }

    private void change(Context ctx, BiFunction<Dashboard, Integer, Dashboard.Draft> act) {
        var access = context.project(ctx).requireEditor();
        var before = known(ctx, access);
        try {
            dashboards.change(access, before, act.apply(before, place(ctx, before)));
            shell.seeOther(ctx, path(access, before));
        } catch (Problem refusal) {
            refused(ctx, refusal, path(access, before));
            show(ctx, access, Form.EMPTY.withProblem(refusal.detail()));
        }
    }

    /** The dashboard as the form knew it. */
    private Dashboard known(Context ctx, ProjectAccess access) {
        var found = dashboards.get(access, id(ctx));
        var version = Optional.ofNullable(ctx.queryParam("version"))
                .filter(given -> given.matches("[0-9]{1,9}"))
                .map(Integer::parseInt)
                .orElse(found.version());
        return new Dashboard(
                found.id(), found.project(), found.owner(), found.name(), found.panels(), version, found.updatedAt());
    }

    private static int place(Context ctx, Dashboard dashboard) {
        var given = ctx.pathParam("place");
        if (!given.matches("[0-9]{1,2}")
                || Integer.parseInt(given) >= dashboard.panels().size()) {
            throw RecordsProblem.invalid("place", Text.of("http.field.unknown"));
        }
        return Integer.parseInt(given);
    }

    private void refused(Context ctx, Problem refusal, String path) {
        if (!PageContext.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, path);
    }

    private static DashboardId id(Context ctx) {
        return DashboardId.parse(ctx.pathParam("dashboard"));
    }

    private void show(Context ctx, ProjectAccess access, Form form) {
        var dashboard = dashboards.get(access, id(ctx));
        var reader = readers.reader(ctx);
        var view = new View(
                ProjectHeader.of(access),
                path(access, dashboard),
                dashboard.name(),
                "?version=" + dashboard.version(),
                dashboard.panels().stream()
                        .map(panel -> panel(access, reader, panel))
                        .toList());
        shell.page(ctx, Text.verbatim(dashboard.name()), "records/dashboard", Map.of("view", view, "form", form));
    }

    private PanelView panel(ProjectAccess access, Reader reader, Dashboard.Panel panel) {
        var own = panel.title() == null ? "" : panel.title();
        var resolved = dashboards.resolved(access, panel).orElse(null);
        var drawing = resolved == null ? null : drawing(access, reader, resolved);
        if (resolved == null || drawing == null) {
            return new PanelView(
                    own.isEmpty() ? reader.text("records.dashboard-panel") : own,
                    own,
                    "",
                    List.of(),
                    panel.isWide(),
                    null,
                    null);
        }
        var request = request(resolved, reader);
        var path = RecordPaths.schema(
                access.project().id(), resolved.recordAccess().schema().name());
        return new PanelView(
                own.isEmpty() ? reader.text(ChartDrawing.title(resolved)) : own,
                own,
                resolved.recordAccess().schema().label(),
                request.map(each -> new FilterLines(reader, () -> context.members(access))
                                .of(each, GridPages.attributes(resolved.recordAccess()), path).stream()
                                        .map(Filter.Line::text)
                                        .toList())
                        .orElse(List.of()),
                panel.isWide(),
                drawing,
                request.map(each -> path + "/chart" + each.query(options(resolved)))
                        .orElse(null));
    }

    /** Null if a rule or type has changed between two statements; a panel never keeps others from being shown. */
    private @Nullable ChartDrawing drawing(ProjectAccess access, Reader reader, ResolvedPanel panel) {
        try {
            var figures = PanelFigures.of(queries, access, panel, reader.zoneName());
            return ChartDrawing.of(access, titles, reader, panel, figures, null, "");
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.INVALID && refusal.kind() != Problem.Kind.NOT_FOUND) {
                throw refusal;
            }
            return null;
        }
    }

    private static String options(ResolvedPanel panel) {
        var attribute = panel.measure().attribute();
        var function = panel.measure().function().name().toLowerCase(Locale.ROOT);
        var by = panel.by();
        var unit = panel.unit();
        var group = by == null
                ? ChartPages.ALL
                : by.name() + (unit != null ? "." + unit.name().toLowerCase(Locale.ROOT) : panel.bins() ? ".bins" : "");
        return "measure=" + RecordPaths.encoded(attribute == null ? function : function + "." + attribute) + "&by="
                + RecordPaths.encoded(group);
    }

    /** The filter of a panel as one of a grid; empty if a grid cannot have it. */
    private static Optional<GridRequest> request(ResolvedPanel panel, Reader reader) {
        var where = panel.where();
        var clauses = new ArrayList<FilterClause>();
        boolean any = where != null && where.has("or");
        var tests = where == null
                ? List.<JsonNode>of()
                : where.has("attr")
                        ? List.of(where)
                        : List.copyOf(where.path(any ? "or" : "and").values());
        for (var test : tests) {
            var attribute = panel.recordAccess().attribute(test.path("attr").asString(""));
            var comparison = FilterComparison.of(test);
            if (attribute.isEmpty() || comparison.isEmpty()) {
                return Optional.empty();
            }
            clauses.add(RuleConditions.clause(attribute.get(), comparison.get(), test.path("value"), reader));
        }
        return tests.isEmpty() && where != null
                ? Optional.empty()
                : Optional.of(new GridRequest(clauses, any, List.of(), List.of(), null, null, ""));
    }
}
