package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.query.Found;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.Query;
import io.hiroba.records.query.QueryReader;
import io.hiroba.records.query.Sort;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Sight;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The records of a schema as a table that goes on while somebody scrolls. */
public final class GridPages implements Routes {

    private static final int PAGE = 50;
    private static final String MADE = "createdAt";

    private final Shell shell;
    private final Times times;
    private final Entrance entrance;
    private final Titles titles;
    private final Queries queries;

    public GridPages(Shell shell, Times times, Entrance entrance, Titles titles, Queries queries) {
        this.shell = shell;
        this.times = times;
        this.entrance = entrance;
        this.titles = titles;
        this.queries = queries;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.SCHEMA, this::show);
        routes.get(Paths.SCHEMA + "/condition", this::condition);
    }

    private void show(Context ctx) {
        var access = entrance.project(ctx);
        var sight = entrance.schema(ctx, access);
        var attributes = attributes(sight);
        var request = GridRequest.of(ctx, attributes, times.moments(ctx));
        var path = Paths.schema(access.project().id(), sight.schema().name());
        if (ctx.queryParam("set") != null) {
            // Forms send more than is meant; what is shared is the short form.
            shell.seeOther(ctx, path + request.query());
            return;
        }
        var asked = new Asked(ctx, access, sight, attributes, request, path);
        if (HtmxRequest.isAskedFor(ctx) && "exact".equals(ctx.queryParam("count"))) {
            var found = find(asked, 1, Query.Count.EXACT);
            shell.fragment(ctx, "records/count", Map.of("count", count(asked, found.count(), false)));
            return;
        }
        var grid = grid(asked);
        if (HtmxRequest.isAskedFor(ctx) && ctx.queryParam("after") != null) {
            shell.page(ctx, sight.schema().name(), "records/rows", Map.of("grid", grid));
        } else {
            if (grid.problem() != null) {
                ctx.status(422);
            }
            shell.page(ctx, sight.schema().name(), "records/grid", Map.of("grid", grid));
        }
    }

    private record Asked(
            Context ctx,
            Access access,
            Sight sight,
            Map<String, Attribute> attributes,
            GridRequest request,
            String path) {

        List<Attribute> columns() {
            return request.columns().isEmpty()
                    ? List.copyOf(attributes.values())
                    : attributes.values().stream()
                            .filter(each -> request.columns().contains(each.name()))
                            .toList();
        }
    }

    private Grid grid(Asked asked) {
        var exact = "exact".equals(asked.ctx().queryParam("count"));
        try {
            var found = find(asked, PAGE, exact ? Query.Count.EXACT : Query.Count.ESTIMATE);
            var lines = lines(asked).of(found, asked.columns());
            var next = found.next();
            var more = next == null ? null : asked.path() + asked.request().query("after=" + Paths.encoded(next));
            return grid(asked, lines, more, count(asked, found.count(), lines.isEmpty()), null);
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.INVALID
                    || asked.request().conditions().isEmpty()) {
                throw refusal;
            }
            return grid(asked, List.of(), null, new Grid.Count("", null), refusal.detail());
        }
    }

    private Found find(Asked asked, int limit, Query.Count count) {
        var request = asked.request();
        var moments = times.moments(asked.ctx());
        var where = request.where(asked.attributes(), moments).orElse(null);
        var sort = request.sort();
        var after = asked.ctx().queryParam("after");
        var query = new Query(
                asked.sight().schema().name(),
                QueryReader.condition(where),
                order(asked, sort),
                lines(asked).select(asked.columns()),
                limit,
                after == null || after.isEmpty() ? null : after,
                count);
        return queries.page(asked.access().caller(), asked.access().project().id(), query);
    }

    /** The newest first, unless an attribute bears the name of that order. */
    private static List<Sort> order(Asked asked, @Nullable String sort) {
        if (sort != null) {
            return List.of(new Sort(sort, asked.request().descending(), false));
        }
        return asked.sight().schema().attribute(MADE).isPresent() ? List.of() : List.of(new Sort(MADE, true, false));
    }

    private Lines lines(Asked asked) {
        return new Lines(asked.access(), asked.sight(), entrance, titles, times.moments(asked.ctx()));
    }

    private Grid grid(
            Asked asked, List<Grid.Line> lines, @Nullable String more, Grid.Count count, @Nullable String problem) {
        var request = asked.request();
        var kept = new ArrayList<Filter.Parameter>();
        var sort = request.sort();
        var sorted = sort == null ? "" : (request.descending() ? "-" : "") + sort;
        kept.add(new Filter.Parameter("sort", sorted));
        request.columns().forEach(column -> kept.add(new Filter.Parameter("col", column)));
        var filter = new Filter(
                new FilterLines(times.moments(asked.ctx())).of(request, asked.attributes(), asked.path()),
                request.any(),
                List.copyOf(asked.attributes().keySet()),
                kept,
                sorted);
        var frame = Grid.frame(asked.access(), asked.sight(), request);
        return new Grid(
                frame.project(),
                frame.schema(),
                frame.path(),
                frame.query(),
                frame.export(),
                frame.columns(),
                lines,
                more,
                filter,
                count,
                problem,
                deleted(asked.ctx()));
    }

    private static Grid.Count count(Asked asked, Found.@Nullable Counted counted, boolean empty) {
        if (counted == null || empty) {
            return new Grid.Count(empty ? "No records" : "", null);
        }
        var text = counted.text() + (counted.value() == 1 && counted.exact() ? " record" : " records");
        return new Grid.Count(
                text, counted.exact() ? null : asked.path() + asked.request().query("count=exact"));
    }

    /** A line of the filter after its attribute or its comparison was chosen. */
    private void condition(Context ctx) {
        var access = entrance.project(ctx);
        var sight = entrance.schema(ctx, access);
        var parameters = new HashMap<String, Object>();
        parameters.put(
                "path", Paths.schema(access.project().id(), sight.schema().name()));
        parameters.put("attributes", FilterLines.names(sight.shown()));
        Optional.ofNullable(ctx.queryParam("a"))
                .flatMap(sight::attribute)
                .ifPresent(attribute -> parameters.put("line", line(ctx, attribute)));
        shell.fragment(ctx, "records/condition", parameters);
    }

    private Filter.Line line(Context ctx, Attribute attribute) {
        var comparison = Optional.ofNullable(ctx.queryParam("o"))
                .flatMap(Comparison::coded)
                .orElse(Comparison.EQ);
        var value = Optional.ofNullable(ctx.queryParam("v")).orElse("");
        return new FilterLines(times.moments(ctx)).of(attribute, comparison, value, "");
    }

    private static @Nullable String deleted(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("deleted"))
                .filter(id -> id.matches("[0-9a-f-]{36}"))
                .orElse(null);
    }

    static Map<String, Attribute> attributes(Sight sight) {
        return sight.shown().stream()
                .collect(Collectors.toMap(Attribute::name, each -> each, (a, b) -> a, LinkedHashMap::new));
    }
}
