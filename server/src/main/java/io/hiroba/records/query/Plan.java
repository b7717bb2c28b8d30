package io.hiroba.records.query;

import io.hiroba.platform.http.Cursors;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Tables;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.tuning.HotIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A query understood: what it names looked up, its rules applied, and how its pages are to be read. */
final class Plan {

    private static final int MOST_JOINED = 20;

    private final Access access;
    private final Catalog catalog;
    private final Views views;
    private final View view;
    private final Map<Short, View> targets = new LinkedHashMap<>();
    private final Predicate predicate;
    private final Order order;
    private final @Nullable Position after;
    private final Planner planner;
    private final List<HotIndex> hot;
    private final List<Attribute> shown = new ArrayList<>();
    private final List<Found.Joined> joined = new ArrayList<>();
    private final int limit;
    private final Gate gate;

    Plan(Access access, Query query, Catalog catalog, Views views, Queries.Hints hints, Cursors cursors) {
        this.access = access;
        this.catalog = catalog;
        this.views = views;
        this.view = views.of(access, catalog.known(access.tables(), query.schema()));
        var where = query.where();
        this.predicate = where == null
                ? view.rows()
                : new Resolver(view, this::target).resolve(where).and(view.rows());
        this.order = Order.of(view, query.sort());
        this.limit = query.limit();
        var cursor = query.after();
        this.after = cursor == null ? null : Position.of(order, cursors.read(list(), cursor));
        this.planner = new Planner(hints.statistics().of(access.tables(), view.schema()));
        this.hot = hints.indexes().of(access.tables(), view.schema());
        select(query.select());
        // Last: by now it is known which schemas the query looks through.
        this.gate = gateFor(access);
    }

    private void select(@Nullable List<String> names) {
        if (names == null) {
            shown.addAll(view.attributes());
            return;
        }
        for (var name : new LinkedHashSet<>(names)) {
            var path = Path.of(view, this::target, "select", name);
            if (path.reference() == null) {
                shown.add(path.attribute());
            } else {
                joined.add(new Found.Joined(path.reference(), path.attribute()));
            }
        }
        if (joined.size() > MOST_JOINED) {
            throw RecordsProblem.invalid("select", "must name at most 20 attributes of what references refer to");
        }
    }

    private View target(Attribute reference) {
        return targets.computeIfAbsent(
                Objects.requireNonNull(reference.references()),
                id -> views.of(access, catalog.known(access.tables(), id)));
    }

    private Gate gateFor(Access asked) {
        var schemas = new LinkedHashMap<Short, Schema>();
        schemas.put(view.schema().id(), view.schema());
        targets.forEach((id, target) -> schemas.put(id, target.schema()));
        return new Gate(asked, schemas.values());
    }

    Gate gate() {
        return gate;
    }

    /** The name of the list that cursors are of. */
    String list() {
        return "records:" + access.project().id() + ":" + view.schema().id() + ":" + order.signature();
    }

    Tables tables() {
        return access.tables();
    }

    View view() {
        return view;
    }

    Predicate predicate() {
        return predicate;
    }

    Order order() {
        return order;
    }

    @Nullable
    Position after() {
        return after;
    }

    Planner planner() {
        return planner;
    }

    List<Attribute> shown() {
        return shown;
    }

    List<Found.Joined> joined() {
        return joined;
    }

    /** The documents that the rows of {@code row} refer to, as further columns. */
    String joins(Sql sql, String row) {
        var columns = new StringBuilder();
        var tests = new Tests(tables(), sql);
        for (int i = 0; i < joined.size(); i++) {
            var reference = joined.get(i).reference();
            var target = target(reference);
            columns.append(
                    ",\n       (SELECT r.doc FROM %s AS r WHERE r.schema_id = %d AND r.row_id = CAST(%s AS uuid) AND %s) AS joined%d"
                            .formatted(
                                    tables().records(),
                                    target.schema().id(),
                                    Tests.text(reference, row),
                                    tests.of(target.rows(), "r"),
                                    i));
        }
        return columns.toString();
    }

    /** A part of the answer that one statement finds, in its order. */
    record Part(
            Source source,
            Predicate predicate,
            Order order,
            @Nullable Position after) {}

    /** What to run one after another until the page is full; each is planned only when its turn comes. */
    Stream<Part> parts() {
        return parts(predicate, order, after);
    }

    private Stream<Part> parts(Predicate among, Order by, @Nullable Position from) {
        var source = planner.forPage(among, by, limit, hot);
        var first = by.first();
        if (first == null || !source.isInOrder() || isPresent(among, first.attribute())) {
            return Stream.of(new Part(source, among, by, from));
        }
        // An index has no entry for a record without the value: those come in a part of their own.
        boolean fromMissing = from != null && from.values().getFirst() == null;
        var present = new Part(source, among, by, fromMissing ? null : from);
        if (first.nullsFirst()) {
            return from == null || fromMissing
                    ? Stream.concat(missing(among, by, from), Stream.of(present))
                    : Stream.of(present);
        }
        return fromMissing ? missing(among, by, from) : Stream.concat(Stream.of(present), missing(among, by, null));
    }

    private Stream<Part> missing(Predicate among, Order by, @Nullable Position from) {
        return Stream.of(Objects.requireNonNull(by.first()).attribute())
                .flatMap(attribute ->
                        parts(among.and(Predicate.lacks(attribute)), by.rest(), from == null ? null : from.rest()));
    }

    /** Whether every record that passes has a value of {@code attribute}. */
    private static boolean isPresent(Predicate among, Attribute attribute) {
        return attribute.required()
                || among.conjuncts().stream()
                        .anyMatch(part -> part instanceof Predicate.Leaf leaf
                                && leaf.attribute().equals(attribute));
    }
}
