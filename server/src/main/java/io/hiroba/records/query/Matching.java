package io.hiroba.records.query;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Access;
import io.hiroba.records.schema.Catalog;
import io.hiroba.records.schema.Schema;
import io.hiroba.records.schema.Sights;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tells which records match a condition, for who knows the records already. */
public final class Matching {

    private final Catalog catalog;
    private final Views views;
    private final MatchingStore store = new MatchingStore();

    public Matching(Db db, Catalog catalog, Sights sights) {
        this.catalog = catalog;
        this.views = new Views(db, sights);
    }

    /** Those of {@code rows} that the caller sees and that match. */
    public Set<UUID> among(Tx tx, Access access, Schema schema, @Nullable Condition where, Collection<UUID> rows) {
        var sql = new Sql();
        var test = test(tx, access, schema, where, sql);
        return new HashSet<>(store.among(tx, access.tables(), schema, test, sql, rows));
    }

    /** Up to {@code limit} of all records that the caller sees and that match. */
    public List<UUID> all(Tx tx, Access access, Schema schema, @Nullable Condition where, int limit) {
        var sql = new Sql();
        var test = test(tx, access, schema, where, sql);
        return store.all(tx, access.tables(), schema, test, sql, limit);
    }

    /** What is referred to is looked at as it is, too: nothing compares its version later. */
    private String test(Tx tx, Access access, Schema schema, @Nullable Condition where, Sql sql) {
        var view = views.of(tx, access, schema);
        var resolver = new Resolver(
                view,
                reference -> views.of(
                        tx,
                        access,
                        catalog.current(tx, access.tables(), Objects.requireNonNull(reference.references()))));
        var predicate = where == null ? view.rows() : resolver.resolve(where).and(view.rows());
        return new Tests(access.tables(), sql).of(predicate, "r");
    }
}
