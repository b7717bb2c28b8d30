package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
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
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Charts of records in groups, with a table of the numbers. */
public final class ChartPages implements Routes {

    /** All records together, instead of groups. */
    static final String ALL = "-";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;
    private final Dashboards dashboards;
    private final QuickSearch search;

    ChartPages(
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
        search = new QuickSearch(context, queries);
    }

    /**
     * A chart with its options and numbers.
     *
     * @param query the filter of the grid, as a query string
     * @param measure such as {@code sum.price}
     * @param by the grouping, such as {@code date.month}
     * @param drawing null before anything is chosen
     * @param problem the error of the request
     * @param seeAs the one as whom an owner sees the records
     * @param dashboards those that it can be added to, for editors
     */
    public record View(
            ProjectHeader project,
            String schema,
            String path,
            String query,
            Filter filter,
            List<Filter.Parameter> kept,
            List<Filter.Choice> measures,
            List<Filter.Choice> groups,
            String measure,
            String by,
            @Nullable ChartDrawing drawing,
            @Nullable String problem,
            @Nullable SeeAsBanner seeAs,
            List<Filter.Choice> dashboards) {

        public View {
            kept = List.copyOf(kept);
            measures = List.copyOf(measures);
            groups = List.copyOf(groups);
            dashboards = List.copyOf(dashboards);
        }

        /** The chart with its options as a query string. */
        public String whole() {
            return query + (query.isEmpty() ? "?" : "&") + "measure=" + RecordPaths.encoded(measure) + "&by="
                    + RecordPaths.encoded(by);
        }

        public String measureLabel() {
            return label(measures, measure);
        }

        public String groupLabel() {
            return label(groups, by);
        }

        private static String label(List<Filter.Choice> choices, String value) {
            return choices.stream()
                    .filter(choice -> choice.value().equals(value))
                    .map(Filter.Choice::label)
                    .findFirst()
                    .orElse("");
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA + "/chart", this::show);
        routes.post(RecordPaths.SCHEMA + "/chart", this::keep);
    }

    private void show(Context ctx) {
        var access = context.seen(ctx);
        var recordAccess = context.schema(ctx, access);
        var request = GridRequest.of(ctx, recordAccess, readers.reader(ctx));
        var shown = chosen(ChartChoice.shown(recordAccess), ctx.queryParam("measure"), ChartChoice.Shown::value);
        var groupings = ChartChoice.by(recordAccess);
        boolean isFigure = ALL.equals(ctx.queryParam("by"));
        var by = ctx.queryParam("by") == null
                ? ChartChoice.first(groupings).orElse(null)
                : chosen(groupings, ctx.queryParam("by"), ChartChoice.By::value);
        if (shown != null && by == null && !isFigure && !groupings.isEmpty()) {
            page(ctx, access, recordAccess, request, new Drawn(shown.value(), "", null, null));
            return;
        }
        if (shown == null || (by == null && !isFigure)) {
            var problem = shell.text(ctx, Text.of("records.chart-no-groups"));
            page(ctx, access, recordAccess, request, new Drawn("", "", null, problem));
            return;
        }
        var group = isFigure || by == null ? ALL : by.value();
        try {
            var panel = panel(ctx, access, recordAccess, request, shown, isFigure ? null : by);
            var reader = readers.reader(ctx);
            var drawing = ChartDrawing.of(
                    access,
                    titles,
                    reader,
                    panel,
                    PanelFigures.of(queries, access, panel, reader.zoneName()),
                    request,
                    path(access, recordAccess));
            page(ctx, access, recordAccess, request, new Drawn(shown.value(), group, drawing, null));
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.INVALID) {
                throw refusal;
            }
            ctx.status(422);
            page(
                    ctx,
                    access,
                    recordAccess,
                    request,
                    new Drawn(shown.value(), group, null, shell.text(ctx, refusal.detail())));
        }
    }

    private record Drawn(
            String measure,
            String by,
            @Nullable ChartDrawing drawing,
            @Nullable String problem) {}

    private ResolvedPanel panel(
            Context ctx,
            ProjectAccess access,
            RecordAccess recordAccess,
            GridRequest request,
            ChartChoice.Shown shown,
            ChartChoice.@Nullable By by) {
        return new ResolvedPanel(
                recordAccess,
                shown.measure(),
                by == null ? null : by.attribute(),
                by == null ? null : by.unit(),
                by != null && by.isBinned(),
                request.where(search.of(access, recordAccess), readers.reader(ctx))
                        .orElse(null));
    }

    /** Adds the chart to a dashboard, or to a new one. */
    private void keep(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var request = GridRequest.of(ctx, recordAccess, readers.reader(ctx));
        var shown = chosen(ChartChoice.shown(recordAccess), ctx.queryParam("measure"), ChartChoice.Shown::value);
        var groupings = ChartChoice.by(recordAccess);
        var by = ALL.equals(ctx.queryParam("by"))
                ? null
                : chosen(groupings, ctx.queryParam("by"), ChartChoice.By::value);
        if (shown == null) {
            throw RecordsProblem.invalid("measure", Text.of("http.field.required"));
        }
        var panel = panel(ctx, access, recordAccess, request, shown, by);
        var kept = new Dashboard.Panel(
                ctx.formParam("title"),
                String.valueOf(recordAccess.schema().id()),
                new Dashboard.Measure(
                        shown.measure().function().name().toLowerCase(Locale.ROOT),
                        shown.measure().attribute()),
                by == null
                        ? null
                        : new Dashboard.Grouping(
                                by.attribute().name(),
                                by.unit() == null ? null : by.unit().name().toLowerCase(Locale.ROOT),
                                by.isBinned() ? true : null),
                panel.where(),
                null);
        var chosen = ctx.formParam("dashboard");
        Dashboard dashboard;
        if (chosen == null || chosen.isEmpty()) {
            var name = shell.text(ctx, Text.of("records.dashboard-first"));
            dashboard = dashboards.create(access, new Dashboard.Draft(name, List.of(kept)));
        } else {
            var before = dashboards.get(access, DashboardId.parse(chosen));
            dashboard = dashboards.change(access, before, before.adding(kept));
        }
        shell.seeOther(ctx, DashboardPages.path(access, dashboard), Text.of("records.dashboard-added"));
    }

    private void page(Context ctx, ProjectAccess access, RecordAccess recordAccess, GridRequest request, Drawn drawn) {
        var path = path(access, recordAccess);
        var attributes = GridPages.attributes(recordAccess);
        var kept = new ArrayList<Filter.Parameter>();
        for (var clause : request.conditions()) {
            kept.add(new Filter.Parameter("a", clause.attribute()));
            kept.add(new Filter.Parameter("o", clause.comparison().code()));
            kept.add(new Filter.Parameter("v", clause.value()));
        }
        if (request.any()) {
            kept.add(new Filter.Parameter("match", "any"));
        }
        if (request.seeAs() != null) {
            kept.add(new Filter.Parameter(GridRequest.SEE_AS, request.seeAs()));
        }
        var head = ProjectHeader.of(access);
        var lines = new FilterLines(readers.reader(ctx), () -> context.members(access)).of(request, attributes, path);
        var view = new View(
                head,
                recordAccess.schema().label(),
                path,
                request.query(),
                new Filter(lines, request.any(), List.of(), List.of()),
                kept,
                ChartChoice.shown(recordAccess).stream()
                        .map(each -> new Filter.Choice(each.value(), shell.text(ctx, each.label())))
                        .toList(),
                Stream.concat(
                                ChartChoice.by(recordAccess).stream()
                                        .map(each -> new Filter.Choice(each.value(), shell.text(ctx, each.label()))),
                                Stream.of(new Filter.Choice(ALL, shell.text(ctx, Text.of("records.chart-all")))))
                        .toList(),
                drawn.measure(),
                drawn.by(),
                drawn.drawing(),
                drawn.problem(),
                SeeAsBanner.of(context, access, path),
                head.mayEdit()
                        ? dashboards.list(access, 0, Dashboards.MAX_DASHBOARDS).stream()
                                .map(each -> new Filter.Choice(each.id().hex(), each.name()))
                                .toList()
                        : List.of());
        var parameters = Map.of("view", view);
        shell.page(
                ctx,
                Text.of("records.chart-title", "schema", recordAccess.schema().label()),
                "records/chart",
                parameters);
    }

    /** The requested option, or the first. */
    private static <T> @Nullable T chosen(List<T> choices, @Nullable String value, Function<T, String> name) {
        return choices.stream()
                .filter(choice -> name.apply(choice).equals(value))
                .findFirst()
                .or(() -> choices.stream().findFirst())
                .orElse(null);
    }

    private static String path(ProjectAccess access, RecordAccess recordAccess) {
        return RecordPaths.schema(access.project().id(), recordAccess.schema().name());
    }
}
