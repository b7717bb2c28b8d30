package io.hiroba.records.query;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectId;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Queries and aggregations over HTTP. */
final class QueryRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}";
    private static final String SEE_AS = "seeAs";

    private final Queries queries;

    QueryRoutes(Queries queries) {
        this.queries = queries;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH + "/query", FormerNames.noting(this::query));
        routes.get(PATH + "/records/{schema}", FormerNames.noting(this::list));
        routes.post(PATH + "/aggregate", FormerNames.noting(this::aggregate));
    }

    private record QueryBody(
            String schema,
            @Nullable JsonNode where,
            @Nullable List<SortKey> sort,
            @Nullable List<String> select,
            @Nullable Integer limit,
            @Nullable String after,
            @Nullable String count,
            @Nullable String timeZone) {

        RecordQuery query() {
            var query = new RecordQuery(
                    schema,
                    ConditionParser.condition(where),
                    sort == null ? List.of() : sort.stream().map(SortKey::sort).toList(),
                    select,
                    QueryStringParser.limit(limit == null ? null : String.valueOf(limit)),
                    after == null || after.isEmpty() ? null : after,
                    QueryStringParser.count(count));
            return timeZone == null ? query : query.in(ZoneId.of(Aggregates.zone(timeZone)));
        }
    }

    private record SortKey(
            String attr, @Nullable String dir, @Nullable String nulls) {

        RecordSort sort() {
            return new RecordSort(attr, is("dir", dir, "asc", "desc"), is("nulls", nulls, "last", "first"));
        }

        private static boolean is(String field, @Nullable String given, String no, String yes) {
            if (given != null && !given.equals(no) && !given.equals(yes)) {
                throw RecordsProblem.invalid("sort." + field, Text.of("records.query.either", "one", no, "other", yes));
            }
            return yes.equals(given);
        }
    }

    private void query(Context ctx) {
        answer(ctx, Body.exactJson(ctx, ctx.bodyAsBytes(), QueryBody.class).query());
    }

    private void list(Context ctx) {
        // Not a word of the parser's own: an export by these parameters is never another's.
        var parameters = new LinkedHashMap<>(ctx.queryParamMap());
        parameters.remove(SEE_AS);
        answer(ctx, QueryStringParser.query(ctx.pathParam("schema"), parameters));
    }

    private void answer(Context ctx, RecordQuery query) {
        var caller = Caller.of(ctx);
        var project = ProjectId.parse(ctx.pathParam("project"));
        if (QueryParams.of(ctx).flag("explain")) {
            var explained = queries.explain(caller, project, seeAs(ctx), query);
            var parameters = new LinkedHashMap<String, String>();
            explained.parameters().forEach((name, value) -> parameters.put(name, String.valueOf(value)));
            ctx.json(Map.of("sql", explained.sql(), "parameters", parameters, "plan", explained.plan()));
            return;
        }
        ctx.contentType("application/json").result(queries.json(caller, project, seeAs(ctx), query));
    }

    /** The one as whom an owner sees records. */
    private static @Nullable String seeAs(Context ctx) {
        return ctx.queryParam(SEE_AS);
    }

    private record AggregateBody(
            String schema,
            @Nullable JsonNode where,
            @Nullable List<GroupKey> groupBy,
            @Nullable List<MeasureKey> measures,
            @Nullable Integer limit,
            @Nullable String timeZone,
            @Nullable String order) {

        Aggregates.Query query() {
            int most = limit == null ? RecordQuery.MAX_LIMIT : limit;
            if (most < 1 || most > Aggregates.MAX_GROUPS) {
                throw RecordsProblem.invalid(
                        "limit", Text.of("http.field.number-between", "min", 1, "max", Aggregates.MAX_GROUPS));
            }
            if (order != null && !order.equals("group") && !order.equals("value")) {
                throw RecordsProblem.invalid("order", Text.of("records.query.order"));
            }
            return new Aggregates.Query(
                    schema,
                    ConditionParser.condition(where),
                    groupBy == null
                            ? List.of()
                            : groupBy.stream().map(GroupKey::group).toList(),
                    measures == null
                            ? List.of(new Aggregates.Measure(Aggregates.Function.COUNT, null))
                            : measures.stream().map(MeasureKey::measure).toList(),
                    most,
                    timeZone == null ? "UTC" : timeZone,
                    "value".equals(order));
        }
    }

    private record GroupKey(String attr, @Nullable String unit) {

        Aggregates.Group group() {
            return new Aggregates.Group(attr, unit == null ? null : one("groupBy.unit", unit, Aggregates.Unit.class));
        }
    }

    private record MeasureKey(String fn, @Nullable String attr) {

        Aggregates.Measure measure() {
            return new Aggregates.Measure(one("measures.fn", fn, Aggregates.Function.class), attr);
        }
    }

    private static <E extends Enum<E>> E one(String field, String given, Class<E> type) {
        for (var constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(given)) {
                return constant;
            }
        }
        var known = new ArrayList<String>();
        for (var constant : type.getEnumConstants()) {
            known.add(constant.name().toLowerCase(Locale.ROOT));
        }
        throw RecordsProblem.invalid(field, Text.of("http.field.one-of", "values", String.join(", ", known)));
    }

    private record GroupView(Map<String, @Nullable JsonNode> group, Map<String, @Nullable JsonNode> values) {}

    private record AggregateView(List<GroupView> items, boolean complete) {}

    private void aggregate(Context ctx) {
        var query = Body.exactJson(ctx, ctx.bodyAsBytes(), AggregateBody.class).query();
        var result = queries.aggregate(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")), seeAs(ctx), query);
        var keys = result.keys().stream().map(SchemaAttribute::name).toList();
        var names = result.measures().stream().map(Aggregates.Measure::name).toList();
        ctx.json(new AggregateView(
                result.rows().stream()
                        .map(row -> new GroupView(named(keys, row.keys()), named(names, row.figures())))
                        .toList(),
                result.complete()));
    }

    private static Map<String, @Nullable JsonNode> named(List<String> names, List<@Nullable JsonNode> values) {
        var named = new LinkedHashMap<String, @Nullable JsonNode>();
        for (int i = 0; i < names.size(); i++) {
            named.put(names.get(i), values.get(i));
        }
        return named;
    }
}
