package io.hiroba.records.query;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.AccessResolver;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Matches records against a condition without paging. */
final class ConditionMatcher {

    private final SchemaCatalog catalog;
    private final ReadableSchemas views;
    private final CallerTraits traits;
    private final QueryStore store = new QueryStore();

    ConditionMatcher(Db db, SchemaCatalog catalog, AccessResolver accessResolver, CallerTraits traits) {
        this.catalog = catalog;
        this.traits = traits;
        this.views = new ReadableSchemas(db, accessResolver);
    }

    /** Those of {@code rows} that match and that the caller may read. */
    public Set<UUID> among(
            Tx tx, ProjectAccess access, Schema schema, @Nullable Condition where, Collection<UUID> rows) {
        var sql = new SqlBindings();
        var test = test(tx, access, schema, where, sql);
        return new HashSet<>(store.matchingAmong(tx, access.tables(), schema, test, sql, rows));
    }

    /** Up to {@code limit} matching records that the caller may read. */
    public List<UUID> all(Tx tx, ProjectAccess access, Schema schema, @Nullable Condition where, int limit) {
        var sql = new SqlBindings();
        var test = test(tx, access, schema, where, sql);
        return store.matching(tx, access.tables(), schema, test, sql, limit);
    }

    /** The newest matching records before {@code before} that the caller may read. */
    List<QueryStore.Match> newest(
            Tx tx, ProjectAccess access, Schema schema, @Nullable Condition where, UUID before, int limit) {
        var sql = new SqlBindings();
        var test = test(tx, access, schema, where, sql);
        return store.newest(tx, access.tables(), schema, test, sql, before, limit);
    }

    /** Reads current schemas, since no statement compares their versions later. */
    private String test(Tx tx, ProjectAccess access, Schema schema, @Nullable Condition given, SqlBindings sql) {
        var where = traits.settled(tx, access.user(), given);
        var view = views.of(tx, access, schema);
        var resolver = new ConditionResolver(
                view,
                access.user(),
                reference -> views.of(
                        tx,
                        access,
                        catalog.current(tx, access.tables(), Objects.requireNonNull(reference.references()))));
        var predicate = where == null ? view.rows() : resolver.resolve(where).and(view.rows());
        return new PredicateSql(access.tables(), sql).of(predicate, "r");
    }
}
