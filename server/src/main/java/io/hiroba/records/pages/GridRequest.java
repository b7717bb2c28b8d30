package io.hiroba.records.pages;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.RecordSort;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The request for a grid, all of it in the URL.
 *
 * @param any whether one condition is enough
 * @param sort the sort keys; empty for the order of the view, or of creation
 * @param columns the columns to show; empty for those of the view, or all
 * @param view the view that it begins with; empty for none
 * @param seeAs the one as whom an owner sees the records; empty for oneself
 * @param search the text of the quick search, which any shown text may have; empty for none
 */
record GridRequest(
        List<FilterClause> conditions,
        boolean any,
        List<RecordSort> sort,
        List<String> columns,
        @Nullable String view,
        @Nullable String seeAs,
        String search) {

    /** The parameter that names the one as whom an owner sees records. */
    static final String SEE_AS = "seeAs";

    private static final int MAX_CONDITIONS = 20;
    private static final int MAX_SEARCH_LENGTH = 200;

    GridRequest {
        conditions = List.copyOf(conditions);
        sort = List.copyOf(sort);
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
                sort(ctx, recordAccess),
                view == null && isDefault(columns, recordAccess) ? List.of() : List.copyOf(columns),
                view,
                seeAs,
                search(ctx));
    }

    private static List<RecordSort> sort(Context ctx, RecordAccess recordAccess) {
        var keys = new LinkedHashMap<String, RecordSort>();
        for (var key : ctx.queryParams("sort")) {
            boolean descending = key.startsWith("-");
            var name = descending ? key.substring(1) : key;
            recordAccess
                    .attribute(name)
                    .map(SchemaAttribute::name)
                    .or(() -> Optional.of(name).filter(RecordSort.CREATED::equals))
                    .ifPresent(each -> keys.putIfAbsent(each, new RecordSort(each, descending, false)));
        }
        return keys.values().stream().limit(Sorting.MAX_KEYS).toList();
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
        sort.forEach(key -> joined.add("sort=" + RecordPaths.encoded(Sorting.key(key))));
        columns.forEach(column -> joined.add("col=" + RecordPaths.encoded(column)));
        return joined.toString();
    }

    /** The same with further parameters, such as a cursor. */
    String query(String more) {
        var query = query();
        return query + (query.isEmpty() ? "?" : "&") + more;
    }

    /**
     * The query string of an export of the same records and columns, to which the format is to be added.
     *
     * @param where the condition that the request adds to its view
     * @param ofView whether the view is there
     */
    String export(@Nullable JsonNode where, boolean ofView) {
        var joined = new StringJoiner("&", "?", "&").setEmptyValue("?");
        if (view != null && ofView) {
            joined.add("view=" + view);
        }
        if (where != null) {
            joined.add("where=" + RecordPaths.encoded(where.toString()));
        }
        if (!sort.isEmpty()) {
            joined.add("order="
                    + RecordPaths.encoded(sort.stream().map(Sorting::key).collect(Collectors.joining(","))));
        }
        if (!columns.isEmpty()) {
            joined.add("select=" + RecordPaths.encoded(String.join(",", columns)));
        }
        return joined.toString();
    }

    /** The same with another order: a second click reverses it, a third one removes it. */
    GridRequest sortedBy(String attribute) {
        var first = sort.isEmpty() || !sort.getFirst().attribute().equals(attribute) ? null : sort.getFirst();
        var keys = first != null && first.descending()
                ? List.<RecordSort>of()
                : List.of(new RecordSort(attribute, first != null, false));
        return new GridRequest(conditions, any, keys, columns, view, seeAs, search);
    }

    GridRequest withConditions(List<FilterClause> others) {
        return new GridRequest(others, any && others.size() > 1, sort, columns, view, seeAs, search);
    }

    GridRequest withColumns(List<String> names) {
        return new GridRequest(conditions, any, sort, names, view, seeAs, search);
    }

    /** Whether it differs from the view that it begins with. */
    boolean isChanged() {
        return !conditions.isEmpty() || !search.isEmpty() || !sort.isEmpty() || !columns.isEmpty();
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
    Optional<ObjectNode> where(QuickSearch.Schema searched, Reader reader) {
        var clauses = new ArrayList<ObjectNode>();
        for (var condition : conditions) {
            searched.recordAccess()
                    .attribute(condition.attribute())
                    .ifPresent(attribute -> clauses.add(condition.json(attribute, reader)));
        }
        var filter = joined(any ? "or" : "and", clauses);
        return search.isEmpty()
                ? filter
                : joined(
                        "and",
                        Stream.concat(filter.stream(), joined("or", searched.clauses(search, seeAs)).stream())
                                .toList());
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
