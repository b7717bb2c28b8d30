package io.hiroba.records.query;

import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.tuning.HotIndex;
import io.hiroba.records.tuning.PlannerHints;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plan of a query: names resolved, access rules applied, and the index scans of its pages. */
final class QueryPlan {

    private static final int MAX_JOINED = 20;

    private final ProjectAccess access;
    private final SchemaCatalog catalog;
    private final ReadableSchemas views;
    private final ReadableSchema view;
    private final Map<Short, ReadableSchema> targets = new LinkedHashMap<>();
    private final Predicate predicate;
    private final boolean namesCaller;
    private final SortOrder order;
    private final @Nullable KeysetPosition after;
    private final QueryPlanner planner;
    private final List<HotIndex> hot;
    private final List<SchemaAttribute> shown = new ArrayList<>();
    private final List<QueryResult.Joined> joined = new ArrayList<>();
    private final int limit;
    private final AccessSnapshot snapshot;

    QueryPlan(
            ProjectAccess access,
            RecordQuery query,
            SchemaCatalog catalog,
            ReadableSchemas views,
            PlannerHints hints,
            Cursors cursors) {
        this.access = access;
        this.catalog = catalog;
        this.views = views;
        this.view = views.of(access, catalog.cached(access.tables(), query.schema()));
        var where = query.where();
        var resolver = new ConditionResolver(view, access.user(), this::target);
        this.predicate = where == null ? view.rows() : resolver.resolve(where).and(view.rows());
        this.namesCaller = resolver.namesCaller();
        this.order = SortOrder.of(view, query.sort());
        this.limit = query.limit();
        var cursor = query.after();
        this.after = cursor == null ? null : KeysetPosition.of(order, cursors.read(list(), cursor));
        this.planner = new QueryPlanner(hints.statistics().of(access.tables(), view.schema()));
        this.hot = hints.indexes().of(access.tables(), view.schema());
        select(query.select());
        // Last, when all schemas of the query are known.
        this.snapshot = snapshotFor(access);
    }

    private void select(@Nullable List<String> names) {
        if (names == null) {
            shown.addAll(view.attributes());
            return;
        }
        for (var name : new LinkedHashSet<>(names)) {
            var path = AttributePath.of(view, this::target, "select", name);
            if (path.reference() == null) {
                shown.add(path.attribute());
            } else {
                joined.add(new QueryResult.Joined(path.reference(), path.attribute()));
            }
        }
        if (joined.size() > MAX_JOINED) {
            throw RecordsProblem.invalid("select", Text.of("records.query.joined"));
        }
    }

    private ReadableSchema target(SchemaAttribute reference) {
        return targets.computeIfAbsent(
                Objects.requireNonNull(reference.references()),
                id -> views.of(access, catalog.cached(access.tables(), id)));
    }

    private AccessSnapshot snapshotFor(ProjectAccess projectAccess) {
        var schemas = new LinkedHashMap<Short, Schema>();
        schemas.put(view.schema().id(), view.schema());
        targets.forEach((id, target) -> schemas.put(id, target.schema()));
        return new AccessSnapshot(projectAccess, schemas.values());
    }

    AccessSnapshot snapshot() {
        return snapshot;
    }

    /** Whether the answer is the same for everybody with the caller's role. */
    boolean isShared() {
        return !namesCaller && view.showsAllRows() && targets.values().stream().allMatch(ReadableSchema::showsAllRows);
    }

    /** The name of the list in cursors. */
    String list() {
        return "records:" + access.project().id() + ":" + view.schema().id() + ":" + order.signature();
    }

    ProjectTables tables() {
        return access.tables();
    }

    ReadableSchema view() {
        return view;
    }

    Predicate predicate() {
        return predicate;
    }

    SortOrder order() {
        return order;
    }

    @Nullable
    KeysetPosition after() {
        return after;
    }

    QueryPlanner planner() {
        return planner;
    }

    /** Whether an index tells by itself which records match. */
    boolean isToldByIndex() {
        return predicate.conjuncts().isEmpty() || planner.covering(predicate).isPresent();
    }

    List<SchemaAttribute> shown() {
        return shown;
    }

    List<QueryResult.Joined> joined() {
        return joined;
    }

    /** The documents of the referenced records as further columns. */
    String joins(SqlBindings sql, String row) {
        var columns = new StringBuilder();
        var tests = new PredicateSql(tables(), sql);
        for (int i = 0; i < joined.size(); i++) {
            var reference = joined.get(i).reference();
            var target = target(reference);
            columns.append(
                    ",\n       (SELECT r.doc FROM %s AS r WHERE r.schema_id = %d AND r.row_id = CAST(%s AS uuid) AND %s) AS joined%d"
                            .formatted(
                                    tables().records(),
                                    target.schema().id(),
                                    PredicateSql.text(reference, row),
                                    tests.of(target.rows(), "r"),
                                    i));
        }
        return columns.toString();
    }

    /** A part of the page that one statement reads, in its order. */
    record Part(
            IndexScan scan,
            Predicate predicate,
            SortOrder order,
            @Nullable KeysetPosition after) {}

    /** The parts to run in turn until the page is full; each is planned when it is needed. */
    Stream<Part> parts() {
        return parts(predicate, order, after);
    }

    private Stream<Part> parts(Predicate among, SortOrder by, @Nullable KeysetPosition from) {
        var scan = planner.forPage(among, by, limit, hot);
        var first = by.first();
        if (first == null || !scan.isOrdered() || isPresent(among, first.attribute())) {
            return Stream.of(new Part(scan, among, by, from));
        }
        // An index has no entry for a record without the value: those are a separate part.
        boolean fromMissing = from != null && from.values().getFirst() == null;
        var present = new Part(scan, among, by, fromMissing ? null : from);
        if (first.nullsFirst()) {
            return from == null || fromMissing
                    ? Stream.concat(missing(among, by, from), Stream.of(present))
                    : Stream.of(present);
        }
        return fromMissing ? missing(among, by, from) : Stream.concat(Stream.of(present), missing(among, by, null));
    }

    private Stream<Part> missing(Predicate among, SortOrder by, @Nullable KeysetPosition from) {
        return Stream.of(Objects.requireNonNull(by.first()).attribute())
                .flatMap(attribute ->
                        parts(among.and(Predicate.lacks(attribute)), by.rest(), from == null ? null : from.rest()));
    }

    /** Whether every matching record has a value of {@code attribute}. */
    private static boolean isPresent(Predicate among, SchemaAttribute attribute) {
        return attribute.required()
                || among.conjuncts().stream()
                        .anyMatch(part -> part instanceof Predicate.Leaf leaf
                                && leaf.attribute().equals(attribute));
    }
}
