package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaCatalog;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds and drops indexes, one at a time on the whole database, while records are read and written. A crash at any moment
 * leaves at most an invalid index, which is dropped and made again.
 */
public final class IndexBuilder implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IndexBuilder.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    /** What may pass and does not keeps the others waiting no longer than that. */
    private static final int MAX_ATTEMPTS = 3;

    /** Longer than any node takes a dropped index for there. */
    private static final Duration UNTIL_DROPPED = HotIndexes.REMEMBERED.multipliedBy(2);

    private final Db db;
    private final InstantSource clock;
    private final SchemaCatalog catalog;
    private final Statistics statistics;
    private final IndexMeasurementStore measurement;
    private final HotIndexStore store = new HotIndexStore();
    private @Nullable WorkLoop loop;
    private volatile @Nullable IndexBuildStore working;
    private volatile boolean closed;

    public IndexBuilder(Db db, InstantSource clock, SchemaCatalog catalog, Statistics statistics) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.statistics = statistics;
        this.measurement = new IndexMeasurementStore(db);
    }

    /** Begins to build and drop indexes in the background. */
    public IndexBuilder start() {
        loop = WorkLoop.every(INTERVAL, "records indexes", this::work);
        return this;
    }

    /** Does all there is to do, unless another node is at it. */
    void work() {
        if (!thereIsWork()) {
            return;
        }
        try {
            var connection = IndexBuildStore.open(db).orElse(null);
            if (connection != null) {
                try (connection) {
                    working = connection;
                    dropAll(connection);
                    makeAll(connection);
                } finally {
                    working = null;
                }
            }
        } catch (SQLException e) {
            if (!closed) {
                log.warn("indexes of records could not be made or dropped and will be", e);
            }
        }
    }

    private boolean thereIsWork() {
        return db.read(reads -> store.nextToMake(reads).isPresent()
                || !store.toDrop(reads, clock.instant().minus(UNTIL_DROPPED)).isEmpty());
    }

    private void dropAll(IndexBuildStore connection) throws SQLException {
        for (var index : db.read(reads -> store.toDrop(reads, clock.instant().minus(UNTIL_DROPPED)))) {
            drop(connection, index);
            if (!connection.isCancelled()) {
                db.useTransaction(tx -> store.forget(tx, index));
            }
        }
    }

    private void makeAll(IndexBuildStore connection) throws SQLException {
        for (var next = next(); next.isPresent() && !closed; next = next()) {
            make(connection, next.get());
        }
    }

    private Optional<StoredIndex> next() {
        return db.read(store::nextToMake);
    }

    private void make(IndexBuildStore connection, StoredIndex wanted) throws SQLException {
        db.useTransaction(tx -> store.building(tx, wanted));
        Schema schema;
        HotIndex index;
        try {
            schema = catalog.cached(wanted.tables(), wanted.schema());
            index = new HotIndexStore.Row(wanted.schema(), wanted.equality(), wanted.order(), wanted.name())
                    .index(schema)
                    .orElseThrow(RecordsProblem::noIndex);
        } catch (RecordsProblem e) {
            db.useTransaction(tx -> store.failed(tx, wanted, e.detail()));
            return;
        }
        try {
            var there = db.read(reads -> store.valid(reads, wanted.name()));
            if (there.isPresent() && !there.get()) {
                drop(connection, wanted);
            }
            if (there.isEmpty() || !there.get()) {
                log.info("making index {}", wanted.name());
                connection.execute(ddl(wanted, schema, index));
            }
        } catch (SQLException e) {
            if (closed || (SqlState.isTransient(e) && attempts(wanted) < MAX_ATTEMPTS)) {
                throw e;
            }
            // Half an index costs every write and serves no query.
            drop(connection, wanted);
            db.useTransaction(tx -> store.failed(tx, wanted, String.valueOf(e.getMessage())));
            return;
        }
        if (!connection.isCancelled()) {
            db.useTransaction(tx -> store.ready(tx, wanted, clock.instant()));
            measure(wanted, schema, index);
        }
    }

    /** How often it was tried by now. If the database is away this fails as well, and nothing is counted. */
    private int attempts(StoredIndex wanted) {
        return db.inTransaction(tx -> store.brokenOff(tx, wanted));
    }

    private void measure(StoredIndex made, Schema schema, HotIndex index) {
        var known = statistics.of(made.tables(), schema);
        if (!known.known()) {
            statistics.refresh(made.tables(), schema);
            known = statistics.of(made.tables(), schema);
        }
        measurement
                .of(made.tables(), schema, index, known)
                .ifPresent(effect -> db.useTransaction(tx -> store.measured(tx, made, effect)));
    }

    private static String ddl(StoredIndex wanted, Schema schema, HotIndex index) {
        var equality = index.equality() == null ? "" : "(" + index.equalitySql("doc") + "), ";
        return "CREATE INDEX CONCURRENTLY \"%s\" ON %s (%s(%s), row_id) WHERE schema_id = %d"
                .formatted(wanted.name(), wanted.tables().records(), equality, index.orderSql("doc"), schema.id());
    }

    private static void drop(IndexBuildStore connection, StoredIndex index) throws SQLException {
        connection.execute("DROP INDEX CONCURRENTLY IF EXISTS records.\"%s\"".formatted(index.name()));
    }

    /** Ends what is being made: it is made again by whoever comes next. */
    @Override
    public void close() {
        closed = true;
        var connection = working;
        if (connection != null) {
            try {
                connection.cancel();
            } catch (SQLException e) {
                log.debug("an index could not be given up", e);
            }
        }
        if (loop != null) {
            loop.close();
        }
    }
}
