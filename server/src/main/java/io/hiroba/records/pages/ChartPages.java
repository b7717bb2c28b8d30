package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryReader;
import io.hiroba.records.schema.Sight;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Records summed up in groups, as a drawing and as its numbers. */
public final class ChartPages implements Routes {

    private static final int MOST_BARS = 40;
    private static final int MOST_POINTS = 400;

    private final Shell shell;
    private final Times times;
    private final Entrance entrance;
    private final Titles titles;
    private final Queries queries;

    public ChartPages(Shell shell, Times times, Entrance entrance, Titles titles, Queries queries) {
        this.shell = shell;
        this.times = times;
        this.entrance = entrance;
        this.titles = titles;
        this.queries = queries;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.SCHEMA + "/chart", this::show);
    }

    private void show(Context ctx) {
        var access = entrance.project(ctx);
        var sight = entrance.schema(ctx, access);
        var request = GridRequest.of(ctx, GridPages.attributes(sight), times.moments(ctx));
        var shown = chosen(ChartChoice.shown(sight), ctx.queryParam("measure"), ChartChoice.Shown::value);
        var by = chosen(ChartChoice.by(sight), ctx.queryParam("by"), ChartChoice.By::value);
        if (shown == null || by == null) {
            page(
                    ctx,
                    access,
                    sight,
                    request,
                    new Drawn("", "", List.of(), false, null, "There is nothing to group by."));
            return;
        }
        try {
            page(ctx, access, sight, request, drawn(ctx, access, sight, request, shown, by));
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.INVALID) {
                throw refusal;
            }
            ctx.status(422);
            page(
                    ctx,
                    access,
                    sight,
                    request,
                    new Drawn(shown.value(), by.value(), List.of(), false, null, refusal.detail()));
        }
    }

    private record Drawn(
            String measure,
            String by,
            List<ChartSheet.Row> rows,
            boolean isCut,
            @Nullable Chart chart,
            @Nullable String problem) {}

    private Drawn drawn(
            Context ctx, Access access, Sight sight, GridRequest request, ChartChoice.Shown shown, ChartChoice.By by) {
        var moments = times.moments(ctx);
        var where = request.where(GridPages.attributes(sight), moments).orElse(null);
        boolean line = by.unit() != null;
        var result = queries.aggregate(
                access.caller(),
                access.project().id(),
                new Aggregates.Query(
                        sight.schema().name(),
                        QueryReader.condition(where),
                        List.of(new Aggregates.Group(by.attribute().name(), by.unit())),
                        List.of(shown.measure()),
                        line ? MOST_POINTS : MOST_BARS,
                        moments.zoneName(),
                        !line));
        var groups = new Groups(access, titles, moments, by);
        var rows = new ArrayList<ChartSheet.Row>();
        var points = new ArrayList<Drawing.Point>();
        for (var row : result.rows()) {
            var key = row.keys().getFirst();
            var figure = row.figures().getFirst();
            // A line has no place for records without a date.
            if (line && key == null) {
                continue;
            }
            var label = groups.label(key);
            var value = figure == null ? "–" : Groups.number(figure.decimalValue());
            rows.add(new ChartSheet.Row(label, value, groups.href(path(access, sight), request, key)));
            if (figure != null) {
                points.add(new Drawing.Point(label, figure.decimalValue(), value));
            }
        }
        var chart = points.isEmpty() ? null : line ? Drawing.line(points) : Drawing.bars(points);
        return new Drawn(shown.value(), by.value(), rows, !result.complete(), chart, null);
    }

    private void page(Context ctx, Access access, Sight sight, GridRequest request, Drawn drawn) {
        var path = path(access, sight);
        var attributes = GridPages.attributes(sight);
        var kept = new ArrayList<Filter.Parameter>();
        for (var clause : request.conditions()) {
            kept.add(new Filter.Parameter("a", clause.attribute()));
            kept.add(new Filter.Parameter("o", clause.comparison().code()));
            kept.add(new Filter.Parameter("v", clause.value()));
        }
        if (request.any()) {
            kept.add(new Filter.Parameter("match", "any"));
        }
        var lines = new FilterLines(times.moments(ctx)).of(request, attributes, path);
        var sheet = new ChartSheet(
                ProjectHead.of(access),
                sight.schema().name(),
                path,
                request.query(),
                new Filter(lines, request.any(), List.of(), List.of(), ""),
                kept,
                ChartChoice.shown(sight).stream()
                        .map(each -> new Filter.Choice(each.value(), each.label()))
                        .toList(),
                ChartChoice.by(sight).stream()
                        .map(each -> new Filter.Choice(each.value(), each.label()))
                        .toList(),
                drawn.measure(),
                drawn.by(),
                drawn.chart(),
                drawn.rows(),
                drawn.isCut(),
                drawn.problem());
        var parameters = Map.of("sheet", sheet);
        shell.page(ctx, "Chart of " + sight.schema().name(), "records/chart", parameters);
    }

    /** The one that is asked for, or the first. */
    private static <T> @Nullable T chosen(List<T> choices, @Nullable String value, Function<T, String> name) {
        return choices.stream()
                .filter(choice -> name.apply(choice).equals(value))
                .findFirst()
                .or(() -> choices.stream().findFirst())
                .orElse(null);
    }

    private static String path(Access access, Sight sight) {
        return Paths.schema(access.project().id(), sight.schema().name());
    }
}
