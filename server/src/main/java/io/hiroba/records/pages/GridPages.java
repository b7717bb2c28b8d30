package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.RecordSort;
import io.hiroba.records.query.RelativeDays;
import io.hiroba.records.views.ResolvedView;
import io.hiroba.records.views.ViewId;
import io.hiroba.records.views.Views;
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
import tools.jackson.databind.node.ObjectNode;

/** The records of a schema as a table with infinite scrolling. */
final class GridPages implements Routes {

    /** The rows of the first page, and of those that follow. */
    private static final int PAGE = 50;

    private static final int NEXT_PAGE = RecordQuery.MAX_LIMIT;

    /** The pages whose beginnings are told in one answer. */
    private static final int MAX_POSITIONS = 50;

    private static final String MADE = "createdAt";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final Queries queries;
    private final Views views;
    private final QuickSearch search;

    GridPages(Shell shell, Readers readers, PageContext context, RecordTitles titles, Queries queries, Views views) {
        this.views = views;
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.queries = queries;
        search = new QuickSearch(context, queries);
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA, this::show);
        routes.get(RecordPaths.SCHEMA + "/positions", this::positions);
        routes.get(RecordPaths.SCHEMA + "/condition", this::condition);
    }

    private void show(Context ctx) {
        var access = context.seen(ctx);
        var recordAccess = context.schema(ctx, access);
        var attributes = attributes(recordAccess);
        var request = GridRequest.of(ctx, recordAccess, readers.reader(ctx));
        var view = view(access, recordAccess, request);
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        var elsewhere = HtmxRequest.isFragment(ctx) ? null : ViewTabs.elsewhere(path, view, request.isChanged());
        if (elsewhere != null || ctx.queryParam("set") != null) {
            // Redirects to the canonical URL: forms send empty fields too.
            shell.seeOther(ctx, elsewhere == null ? path + request.query() : elsewhere);
            return;
        }
        var scope = new Scope(
                ctx,
                access,
                recordAccess,
                attributes,
                request,
                path,
                view,
                search.of(access, recordAccess),
                ctx.queryParam("after"));
        if (HtmxRequest.isFragment(ctx) && "exact".equals(ctx.queryParam("count"))) {
            var found = find(scope, 1, RecordQuery.Count.EXACT);
            shell.fragment(ctx, "records/count", Map.of("count", count(scope, found.count(), false)));
            return;
        }
        var grid = grid(scope);
        if (HtmxRequest.isFragment(ctx) && ctx.queryParam("after") != null) {
            shell.page(ctx, Text.verbatim(recordAccess.schema().label()), "records/rows", Map.of("grid", grid));
        } else {
            if (grid.problem() != null || grid.filter().hasErrors()) {
                ctx.status(422);
            }
            shell.page(ctx, Text.verbatim(recordAccess.schema().label()), "records/grid", Map.of("grid", grid));
        }
    }

    /** Where the pages after a cursor begin, so that a grid is scrolled far without the rows between. */
    private void positions(Context ctx) {
        var access = context.seen(ctx);
        var recordAccess = context.schema(ctx, access);
        var request = GridRequest.of(ctx, recordAccess, readers.reader(ctx));
        var view = view(access, recordAccess, request);
        var scope = new Scope(
                ctx,
                access,
                recordAccess,
                attributes(recordAccess),
                request,
                "",
                view,
                search.of(access, recordAccess),
                ctx.queryParam("after"));
        var pages = new ArrayList<Position>();
        while (pages.size() < MAX_POSITIONS && scope.after() != null) {
            var found = find(scope, NEXT_PAGE, RecordQuery.Count.NONE);
            pages.add(new Position(found.rows().size(), found.next()));
            if (found.next() == null) {
                break;
            }
            scope = scope.after(found.next());
        }
        ctx.json(Map.of("pages", pages));
    }

    /** @param next the cursor after the page; null at the end */
    private record Position(int rows, @Nullable String next) {}

    private record Scope(
            Context ctx,
            ProjectAccess access,
            RecordAccess recordAccess,
            Map<String, SchemaAttribute> attributes,
            GridRequest request,
            String path,
            @Nullable ResolvedView view,
            QuickSearch.Schema searched,
            @Nullable String after) {

        Scope after(String cursor) {
            return new Scope(ctx, access, recordAccess, attributes, request, path, view, searched, cursor);
        }

        List<SchemaAttribute> columns() {
            return Grid.effective(request, view).columns(recordAccess);
        }
    }

    /** The view that the request begins with; one that is gone, or was never the reader's to see, is none. */
    private @Nullable ResolvedView view(ProjectAccess access, RecordAccess recordAccess, GridRequest request) {
        var id = request.view();
        // Views are a member's own: whoever sees as they would does not see these.
        if (id == null || access.seenAs() != null) {
            return null;
        }
        try {
            var schema = recordAccess.schema();
            return views.resolved(access, schema, views.get(access, schema, ViewId.parse(id)));
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.NOT_FOUND && refusal.kind() != Problem.Kind.INVALID) {
                throw refusal;
            }
            return null;
        }
    }

    private Grid grid(Scope scope) {
        var exact = "exact".equals(scope.ctx().queryParam("count"));
        try {
            var found = find(scope, scope.after() == null ? PAGE : NEXT_PAGE, counting(scope, exact));
            var lines = lines(scope).of(found, scope.columns());
            var next = found.next();
            var more = next == null ? null : scope.path() + scope.request().query("after=" + RecordPaths.encoded(next));
            return grid(scope, lines, more, count(scope, found.count(), lines.isEmpty()), null);
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.INVALID
                    || scope.request().conditions().isEmpty()) {
                throw refusal;
            }
            return grid(scope, List.of(), null, Grid.Count.NONE, shell.text(scope.ctx(), refusal.detail()));
        }
    }

    /** Rows that follow others are added below a count that stands there. */
    private static RecordQuery.Count counting(Scope scope, boolean exact) {
        if (isFollowing(scope)) {
            return RecordQuery.Count.NONE;
        }
        return exact ? RecordQuery.Count.EXACT : RecordQuery.Count.ESTIMATE;
    }

    private QueryResult find(Scope scope, int limit, RecordQuery.Count count) {
        var access = scope.access();
        var view = scope.view();
        var where = where(scope);
        var after = scope.after();
        var query = new RecordQuery(
                scope.recordAccess().schema().name(),
                ConditionParser.condition(view == null ? where : ViewScope.both(view.filter(), where)),
                order(scope),
                lines(scope).select(scope.columns()),
                limit,
                after == null || after.isEmpty() ? null : after,
                count);
        var mine = query.in(readers.zone(scope.ctx()));
        return queries.page(
                access.caller(), access.project().id(), scope.request().seeAs(), mine);
    }

    /** What the request adds to the view. A condition that makes no sense is left out, with its error beside it: the table stays. */
    private @Nullable ObjectNode where(Scope scope) {
        var reader = readers.reader(scope.ctx());
        var errors = scope.request().errors(scope.attributes(), reader);
        return scope.request()
                .withConditions(scope.request().conditions().stream()
                        .filter(each -> !errors.containsKey(each))
                        .toList())
                .where(scope.searched(), reader)
                .orElse(null);
    }

    /** Newest first, unless an attribute has the name of that order. */
    private static List<RecordSort> order(Scope scope) {
        var keys = Grid.sort(scope.request(), scope.view());
        if (!keys.isEmpty()) {
            return keys;
        }
        return scope.recordAccess().schema().attribute(MADE).isPresent()
                ? List.of()
                : List.of(new RecordSort(MADE, true, false));
    }

    private GridRows lines(Scope scope) {
        return new GridRows(scope.access(), scope.recordAccess(), context, titles, readers.reader(scope.ctx()));
    }

    private Grid grid(
            Scope scope, List<Grid.Line> lines, @Nullable String more, Grid.Count count, @Nullable String problem) {
        var request = scope.request();
        var kept = new ArrayList<Filter.Parameter>();
        request.sort().forEach(key -> kept.add(new Filter.Parameter("sort", Sorting.key(key))));
        if (request.seeAs() != null) {
            kept.add(new Filter.Parameter(GridRequest.SEE_AS, request.seeAs()));
        }
        if (scope.view() != null) {
            kept.add(new Filter.Parameter("view", scope.view().view().id().hex()));
        }
        if (!request.search().isEmpty()) {
            kept.add(new Filter.Parameter("q", request.search()));
        }
        request.columns().forEach(column -> kept.add(new Filter.Parameter("col", column)));
        var filter = new Filter(
                filters(scope.ctx(), scope.access()).of(request, scope.attributes(), scope.path()),
                request.any(),
                FilterLines.choices(scope.recordAccess().shown()),
                kept);
        var frame = Grid.frame(scope.access(), scope.recordAccess(), request, scope.view());
        return new Grid(
                frame.project(),
                frame.schema(),
                frame.path(),
                frame.query(),
                export(scope),
                frame.columns(),
                lines,
                more,
                filter,
                count,
                problem,
                deleted(scope.ctx()),
                tabs(scope),
                groups(scope),
                SeeAsBanner.of(context, scope.access(), scope.path()),
                frame.denied(),
                Sorting.of(Grid.sort(request, scope.view()), scope.recordAccess(), readers.reader(scope.ctx())),
                !request.conditions().isEmpty()
                        || !request.search().isEmpty()
                        || (scope.view() != null && scope.view().filter() != null));
    }

    /** The URL of an export of what is shown; null where an owner sees records as another. */
    private @Nullable String export(Scope scope) {
        if (scope.request().seeAs() != null) {
            return null;
        }
        var query = scope.request().export(where(scope), scope.view() != null);
        return "/api/v1/projects/%s/exports/%s%s"
                .formatted(
                        scope.access().project().id().hex(),
                        RecordPaths.encoded(scope.recordAccess().schema().name()),
                        query);
    }

    private @Nullable ViewTabs tabs(Scope scope) {
        if (isFollowing(scope) || scope.access().seenAs() != null) {
            return null;
        }
        var listed = views.list(scope.access(), scope.recordAccess().schema(), 0, 2 * Views.MAX_VIEWS);
        var request = scope.request();
        return ViewTabs.of(
                scope.access(),
                scope.recordAccess(),
                listed,
                scope.view(),
                request.query(),
                request.isChanged(),
                chips(scope));
    }

    private List<String> chips(Scope scope) {
        return scope.view() == null
                ? List.of()
                : new ViewScope(scope.access(), scope.view(), readers.reader(scope.ctx()))
                        .chips(filters(scope.ctx(), scope.access()));
    }

    private @Nullable GroupSums groups(Scope scope) {
        var view = scope.view();
        var group = view == null ? null : view.definition().groupBy();
        if (view == null
                || group == null
                || isFollowing(scope)
                || scope.request().isChanged()) {
            return null;
        }
        var within = new ViewScope(scope.access(), view, readers.reader(scope.ctx()));
        return view.attribute(group.attribute())
                .map(by -> GroupSums.of(within, queries, titles, by, group.unit()))
                .orElse(null);
    }

    /** Whether rows are asked for that follow others. */
    private static boolean isFollowing(Scope scope) {
        return HtmxRequest.isFragment(scope.ctx()) && scope.ctx().queryParam("after") != null;
    }

    private Grid.Count count(Scope scope, QueryResult.@Nullable Counted counted, boolean empty) {
        if (counted == null || empty) {
            return new Grid.Count(empty ? shell.text(scope.ctx(), Text.of("records.count-none")) : "", null, null);
        }
        return new Grid.Count(
                shell.text(scope.ctx(), Grid.Count.words(counted)),
                counted.exact() ? null : scope.path() + scope.request().query("count=exact"),
                counted.value());
    }

    /** A filter row after its attribute or comparison was chosen. */
    private void condition(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var parameters = new HashMap<String, Object>();
        parameters.put(
                "path",
                RecordPaths.schema(access.project().id(), recordAccess.schema().name()));
        parameters.put("attributes", FilterLines.choices(recordAccess.shown()));
        parameters.put("rules", ctx.queryParam("rules") != null);
        Optional.ofNullable(ctx.queryParam("a"))
                .flatMap(recordAccess::attribute)
                .ifPresent(attribute -> parameters.put("line", line(ctx, attribute)));
        shell.fragment(ctx, "records/condition", parameters);
    }

    private Filter.Line line(Context ctx, SchemaAttribute attribute) {
        var comparison = Optional.ofNullable(ctx.queryParam("o"))
                .flatMap(FilterComparison::coded)
                .orElse(FilterComparison.EQ);
        var typed = Optional.ofNullable(ctx.queryParam("v")).orElse("");
        var value = comparison.isRelative() || !RelativeDays.isKnown(typed) ? typed : "";
        var lines = filters(ctx, context.project(ctx));
        return (ctx.queryParam("rules") == null ? lines : lines.ofRules()).of(attribute, comparison, value, "");
    }

    private FilterLines filters(Context ctx, ProjectAccess access) {
        return new FilterLines(readers.reader(ctx), () -> context.members(access));
    }

    private static @Nullable String deleted(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("deleted"))
                .filter(id -> id.matches("[0-9a-f-]{36}"))
                .orElse(null);
    }

    static Map<String, SchemaAttribute> attributes(RecordAccess recordAccess) {
        return recordAccess.shown().stream()
                .collect(Collectors.toMap(SchemaAttribute::name, each -> each, (a, b) -> a, LinkedHashMap::new));
    }
}
