package io.hiroba.records.pages;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The request for a grid, all of it in the URL.
 *
 * @param any whether one condition is enough
 * @param sort the sort attribute; empty for the order of creation
 * @param columns the columns to show; empty for those of the view, or all
 * @param view the view that it begins with; empty for none
 * @param seeAs the one as whom an owner sees the records; empty for oneself
 * @param search the text of the quick search, which any shown text may have; empty for none
 */
record GridRequest(
        List<FilterClause> conditions,
        boolean any,
        @Nullable String sort,
        boolean descending,
        List<String> columns,
        @Nullable String view,
        @Nullable String seeAs,
        String search) {

    /** The parameter that names the one as whom an owner sees records. */
    static final String SEE_AS = "seeAs";

    private static final int MAX_CONDITIONS = 20;
    private static final int MAX_SEARCH_LENGTH = 200;

    /** The texts that a quick search looks into. */
    private static final int MAX_SEARCHED = 20;

    GridRequest {
        conditions = List.copyOf(conditions);
        columns = List.copyOf(columns);
    }

    /** Parses the request for a schema; unknown names are ignored, and former ones become those of now. */
    static GridRequest of(Context ctx, RecordAccess recordAccess, Reader reader) {
        var names = ctx.queryParams("a");
        var operators = ctx.queryParams("o");
        var values = ctx.queryParams("v");
        if (names.size() > MAX_CONDITIONS) {
            throw HttpProblem.invalid("a", Text.of("records.filter-too-many", "max", MAX_CONDITIONS));
        }
        var conditions = new ArrayList<FilterClause>();
        for (int i = 0; i < names.size(); i++) {
            var attribute = recordAccess.attribute(names.get(i)).orElse(null);
            var value = i < values.size() ? values.get(i) : "";
            var operator = Optional.ofNullable(i < operators.size() ? operators.get(i) : null)
                    .flatMap(FilterComparison::coded)
                    .orElse(FilterComparison.EQ);
            // A row without a value is ignored.
            if (attribute != null && (!operator.takesValue() || !value.isEmpty())) {
                conditions.add(FilterClause.typed(attribute, operator, value, reader));
            }
        }
        var order = Optional.ofNullable(ctx.queryParam("sort")).orElse("");
        boolean descending = order.startsWith("-");
        var sort = recordAccess
                .attribute(descending ? order.substring(1) : order)
                .map(SchemaAttribute::name)
                .orElse(null);
        var columns = new LinkedHashSet<String>();
        ctx.queryParams("col").stream()
                .flatMap(name -> recordAccess.attribute(name).stream())
                .forEach(attribute -> columns.add(attribute.name()));
        var view = Optional.ofNullable(ctx.queryParam("view"))
                .filter(id -> id.matches("[0-9A-Fa-f]{1,16}"))
                .orElse(null);
        var seeAs = Optional.ofNullable(ctx.queryParam(SEE_AS))
                .filter(given -> !given.isEmpty())
                .orElse(null);
        return new GridRequest(
                conditions,
                "any".equals(ctx.queryParam("match")) && conditions.size() > 1,
                sort,
                descending && sort != null,
                view == null && isDefault(columns, recordAccess) ? List.of() : List.copyOf(columns),
                view,
                seeAs,
                search(ctx));
    }

    private static boolean isDefault(Set<String> columns, RecordAccess recordAccess) {
        return List.copyOf(columns)
                .equals(recordAccess.shown().stream().map(SchemaAttribute::name).toList());
    }

    private static String search(Context ctx) {
        var text = Optional.ofNullable(ctx.queryParam("q")).orElse("").strip();
        return text.length() > MAX_SEARCH_LENGTH ? text.substring(0, MAX_SEARCH_LENGTH) : text;
    }

    /** The query string with its question mark; empty for the defaults. */
    String query() {
        var joined = new StringJoiner("&", "?", "").setEmptyValue("");
        if (view != null) {
            joined.add("view=" + view);
        }
        if (seeAs != null) {
            joined.add(SEE_AS + "=" + RecordPaths.encoded(seeAs));
        }
        if (!search.isEmpty()) {
            joined.add("q=" + RecordPaths.encoded(search));
        }
        for (var condition : conditions) {
            joined.add("a=" + RecordPaths.encoded(condition.attribute()))
                    .add("o=" + condition.comparison().code())
                    .add("v=" + RecordPaths.encoded(condition.value()));
        }
        if (any) {
            joined.add("match=any");
        }
        if (sort != null) {
            joined.add("sort=" + (descending ? "-" : "") + RecordPaths.encoded(sort));
        }
        columns.forEach(column -> joined.add("col=" + RecordPaths.encoded(column)));
        return joined.toString();
    }

    /** The same with further parameters, such as a cursor. */
    String query(String more) {
        var query = query();
        return query + (query.isEmpty() ? "?" : "&") + more;
    }

    /**
     * The query string of an export of the same records and columns, to which the format is to be added; empty where one condition is enough, or a view adds
     * its own, which query strings cannot express, or an owner sees records as another.
     */
    Optional<String> export() {
        if (any || view != null || seeAs != null || !search.isEmpty()) {
            return Optional.empty();
        }
        var joined = new StringJoiner("&", "?", "&").setEmptyValue("?");
        for (var condition : conditions) {
            joined.add(RecordPaths.encoded(condition.attribute()) + "."
                    + condition.comparison().code() + "=" + RecordPaths.encoded(condition.value()));
        }
        if (sort != null) {
            joined.add("order=" + (descending ? "-" : "") + RecordPaths.encoded(sort));
        }
        if (!columns.isEmpty()) {
            joined.add("select=" + RecordPaths.encoded(String.join(",", columns)));
        }
        return Optional.of(joined.toString());
    }

    /** The same with another order: a second click reverses it, a third one removes it. */
    GridRequest sortedBy(String attribute) {
        if (!attribute.equals(sort)) {
            return new GridRequest(conditions, any, attribute, false, columns, view, seeAs, search);
        }
        return descending
                ? new GridRequest(conditions, any, null, false, columns, view, seeAs, search)
                : new GridRequest(conditions, any, attribute, true, columns, view, seeAs, search);
    }

    GridRequest withConditions(List<FilterClause> others) {
        return new GridRequest(others, any && others.size() > 1, sort, descending, columns, view, seeAs, search);
    }

    GridRequest withColumns(List<String> names) {
        return new GridRequest(conditions, any, sort, descending, names, view, seeAs, search);
    }

    /** Whether it differs from the view that it begins with. */
    boolean isChanged() {
        return !conditions.isEmpty() || !search.isEmpty() || sort != null || !columns.isEmpty();
    }

    /** The columns of an effective request, in its order. */
    List<SchemaAttribute> columns(RecordAccess recordAccess) {
        return columns.isEmpty()
                ? recordAccess.shown()
                : columns.stream()
                        .flatMap(name -> recordAccess.attribute(name).stream())
                        .toList();
    }

    GridRequest without(FilterClause condition) {
        return withConditions(
                conditions.stream().filter(each -> !each.equals(condition)).toList());
    }

    /** The conditions that cannot be applied, each with the reason. */
    Map<FilterClause, Text> errors(Map<String, SchemaAttribute> attributes, Reader reader) {
        var errors = new HashMap<FilterClause, Text>();
        for (var condition : conditions) {
            Optional.ofNullable(attributes.get(condition.attribute()))
                    .flatMap(attribute -> condition.error(attribute, reader))
                    .ifPresent(reason -> errors.put(condition, reason));
        }
        return errors;
    }

    /** The condition of the query, if any. */
    Optional<ObjectNode> where(Map<String, SchemaAttribute> attributes, Reader reader) {
        var clauses = new ArrayList<ObjectNode>();
        for (var condition : conditions) {
            var attribute = attributes.get(condition.attribute());
            if (attribute != null) {
                clauses.add(condition.json(attribute, reader));
            }
        }
        var filter = joined(any ? "or" : "and", clauses);
        return search.isEmpty()
                ? filter
                : joined(
                        "and",
                        Stream.concat(filter.stream(), searched(attributes).stream())
                                .toList());
    }

    /** A text that has what is searched for, or a number that equals it. */
    private Optional<ObjectNode> searched(Map<String, SchemaAttribute> attributes) {
        var clauses = attributes.values().stream()
                .filter(each -> each.references() == null && !each.isGenerated())
                .flatMap(each -> switch (each.type()) {
                    case TEXT -> Stream.of(clause(each, "contains").put("value", search));
                    case NUMERIC ->
                        number().stream().map(value -> clause(each, "eq").put("value", value));
                    case DATE, DATETIME, BOOL, JSONB, MULTI_SELECT -> Stream.<ObjectNode>empty();
                })
                .limit(MAX_SEARCHED)
                .toList();
        return joined("or", clauses);
    }

    private static ObjectNode clause(SchemaAttribute attribute, String operator) {
        return Documents.exact()
                .createObjectNode()
                .put("attr", attribute.name())
                .put("op", operator);
    }

    private Optional<BigDecimal> number() {
        return search.matches("[+-]?\\d{1,30}(\\.\\d{1,30})?") ? Optional.of(new BigDecimal(search)) : Optional.empty();
    }

    private static Optional<ObjectNode> joined(String connective, List<ObjectNode> clauses) {
        if (clauses.size() < 2) {
            return clauses.stream().findFirst();
        }
        var all = Documents.exact().createObjectNode();
        var array = all.putArray(connective);
        clauses.forEach(array::add);
        return Optional.of(all);
    }
}
