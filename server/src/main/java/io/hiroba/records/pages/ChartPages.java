package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.Condition;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.Queries;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Charts of records in groups, with a table of the numbers. */
public final class ChartPages implements Routes {

    private static final int MAX_BARS = 40;
    private static final int MAX_POINTS = 400;

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;

    ChartPages(Shell shell, Readers readers, PageContext context, RecordTitles titles, Queries queries) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
    }

    /**
     * A chart with its options and numbers.
     *
     * @param query the filter of the grid, as a query string
     * @param measure such as {@code sum.price}
     * @param by the grouping, such as {@code date.month}
     * @param isCut whether there are more groups than shown
     * @param problem the error of the request
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
            @Nullable Chart chart,
            List<Row> rows,
            boolean isCut,
            @Nullable String problem) {

        public View {
            kept = List.copyOf(kept);
            measures = List.copyOf(measures);
            groups = List.copyOf(groups);
            rows = List.copyOf(rows);
        }

        /** A group. */
        public record Row(
                String label, String value, @Nullable String href) {}

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
    }

    private void show(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var request = GridRequest.of(ctx, recordAccess, readers.reader(ctx));
        var shown = chosen(ChartChoice.shown(recordAccess), ctx.queryParam("measure"), ChartChoice.Shown::value);
        var groupings = ChartChoice.by(recordAccess);
        var by = ctx.queryParam("by") == null
                ? ChartChoice.first(groupings).orElse(null)
                : chosen(groupings, ctx.queryParam("by"), ChartChoice.By::value);
        if (shown != null && by == null && !groupings.isEmpty()) {
            page(ctx, access, recordAccess, request, new Drawn(shown.value(), "", List.of(), false, null, null));
            return;
        }
        if (shown == null || by == null) {
            page(
                    ctx,
                    access,
                    recordAccess,
                    request,
                    new Drawn("", "", List.of(), false, null, shell.text(ctx, Text.of("records.chart-no-groups"))));
            return;
        }
        try {
            page(ctx, access, recordAccess, request, drawn(ctx, access, recordAccess, request, shown, by));
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
                    new Drawn(shown.value(), by.value(), List.of(), false, null, shell.text(ctx, refusal.detail())));
        }
    }

    private record Drawn(
            String measure,
            String by,
            List<View.Row> rows,
            boolean isCut,
            @Nullable Chart chart,
            @Nullable String problem) {}

    private Drawn drawn(
            Context ctx,
            ProjectAccess access,
            RecordAccess recordAccess,
            GridRequest request,
            ChartChoice.Shown shown,
            ChartChoice.By by) {
        var reader = readers.reader(ctx);
        var where = request.where(GridPages.attributes(recordAccess), reader).orElse(null);
        boolean line = by.unit() != null;
        var condition = ConditionParser.condition(where);
        var bin = by.isBinned() ? bin(access, recordAccess, condition, by) : null;
        var result = queries.aggregate(
                access.caller(),
                access.project().id(),
                new Aggregates.Query(
                        recordAccess.schema().name(),
                        condition,
                        List.of(new Aggregates.Group(by.attribute().name(), by.unit(), bin)),
                        List.of(shown.measure()),
                        line ? MAX_POINTS : MAX_BARS,
                        reader.zoneName(),
                        !line && bin == null));
        var groups = new ChartGroups(access, titles, reader, by, bin);
        var rows = new ArrayList<View.Row>();
        var points = new ArrayList<ChartLayout.Point>();
        for (var row : result.rows()) {
            var key = row.keys().getFirst();
            var figure = row.figures().getFirst();
            // A line chart has no position for records without a date.
            if (line && key == null) {
                continue;
            }
            var label = groups.label(key);
            var value = figure == null ? "–" : ChartGroups.number(figure.decimalValue());
            rows.add(new View.Row(label, value, groups.href(path(access, recordAccess), request, key)));
            if (figure != null) {
                points.add(new ChartLayout.Point(label, figure.decimalValue(), value));
            }
        }
        var chart = points.isEmpty() ? null : line ? ChartLayout.line(points) : ChartLayout.bars(points);
        return new Drawn(shown.value(), by.value(), rows, !result.complete(), chart, null);
    }

    /** The width of the ranges that the numbers fall into. */
    private BigDecimal bin(
            ProjectAccess access, RecordAccess recordAccess, @Nullable Condition where, ChartChoice.By by) {
        var name = by.attribute().name();
        var ends = queries.aggregate(
                        access.caller(),
                        access.project().id(),
                        new Aggregates.Query(
                                recordAccess.schema().name(),
                                where,
                                List.of(),
                                List.of(
                                        new Aggregates.Measure(Aggregates.Function.MIN, name),
                                        new Aggregates.Measure(Aggregates.Function.MAX, name)),
                                1,
                                "UTC",
                                false))
                .rows()
                .getFirst()
                .figures();
        var least = ends.getFirst();
        var most = ends.getLast();
        return least == null || most == null
                ? BigDecimal.ONE
                : ChartGroups.width(least.decimalValue(), most.decimalValue());
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
        var lines = new FilterLines(readers.reader(ctx), () -> context.members(access)).of(request, attributes, path);
        var view = new View(
                ProjectHeader.of(access),
                recordAccess.schema().label(),
                path,
                request.query(),
                new Filter(lines, request.any(), List.of(), List.of(), ""),
                kept,
                ChartChoice.shown(recordAccess).stream()
                        .map(each -> new Filter.Choice(each.value(), shell.text(ctx, each.label())))
                        .toList(),
                ChartChoice.by(recordAccess).stream()
                        .map(each -> new Filter.Choice(each.value(), shell.text(ctx, each.label())))
                        .toList(),
                drawn.measure(),
                drawn.by(),
                drawn.chart(),
                drawn.rows(),
                drawn.isCut(),
                drawn.problem());
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
