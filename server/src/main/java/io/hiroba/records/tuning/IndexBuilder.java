package io.hiroba.records.tuning;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.i18n.Text;
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
 * Builds and drops indexes, one at a time on the whole database, while records are read and written. A crash leaves at
 * most an invalid index, which is dropped and built again.
 */
public final class IndexBuilder implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IndexBuilder.class);
    private static final Duration INTERVAL = Duration.ofSeconds(15);

    /** The attempts after which a build that keeps failing is given up. */
    private static final int MAX_ATTEMPTS = 3;

    /** Longer than the time for which a node's cache may still contain the index. */
    private static final Duration DROP_DELAY = HotIndexes.TTL.multipliedBy(2);

    private final Db db;
    private final InstantSource clock;
    private final SchemaCatalog catalog;
    private final Statistics statistics;
    private final IndexMeasurementStore measurement;
    private final HotIndexStore store = new HotIndexStore();
    private @Nullable WorkLoop loop;
    private volatile @Nullable IndexBuildStore running;
    private volatile boolean closed;

    public IndexBuilder(Db db, InstantSource clock, SchemaCatalog catalog, Statistics statistics) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.statistics = statistics;
        this.measurement = new IndexMeasurementStore(db);
    }

    /** Starts to build and drop indexes in the background. */
    public IndexBuilder start() {
        loop = WorkLoop.every(INTERVAL, "records indexes", this::work);
        return this;
    }

    /** Builds and drops all pending indexes, unless another node does so. */
    void work() {
        if (!hasWork()) {
            return;
        }
        try {
            var connection = IndexBuildStore.open(db).orElse(null);
            if (connection != null) {
                try (connection) {
                    running = connection;
                    dropAll(connection);
                    buildAll(connection);
                } finally {
                    running = null;
                }
            }
        } catch (SQLException e) {
            if (!closed) {
                log.warn("indexes of records could not be built or dropped and will be retried", e);
            }
        }
    }

    private boolean hasWork() {
        return db.inTransaction(tx -> store.nextToBuild(tx).isPresent()
                || !store.toDrop(tx, clock.instant().minus(DROP_DELAY)).isEmpty());
    }

    private void dropAll(IndexBuildStore connection) throws SQLException {
        for (var index : db.read(reads -> store.toDrop(reads, clock.instant().minus(DROP_DELAY)))) {
            connection.drop(index);
            if (!connection.isCancelled()) {
                db.useTransaction(tx -> store.deleteDropped(tx, index));
            }
        }
    }

    private void buildAll(IndexBuildStore connection) throws SQLException {
        for (var next = next(); next.isPresent() && !closed; next = next()) {
            build(connection, next.get());
        }
    }

    private Optional<StoredIndex> next() {
        return db.read(store::nextToBuild);
    }

    private void build(IndexBuildStore connection, StoredIndex wanted) throws SQLException {
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
            var valid = db.read(reads -> store.valid(reads, wanted.name()));
            if (valid.isPresent() && !valid.get()) {
                connection.drop(wanted);
            }
            if (valid.isEmpty() || !valid.get()) {
                log.info("building index {}", wanted.name());
                connection.create(wanted, schema, index);
            }
        } catch (SQLException e) {
            if (closed || (SqlState.isTransient(e) && countAttempt(wanted) < MAX_ATTEMPTS)) {
                throw e;
            }
            // An invalid index slows every write down and serves no query.
            connection.drop(wanted);
            db.useTransaction(tx -> store.failed(tx, wanted, Text.verbatim(String.valueOf(e.getMessage()))));
            return;
        }
        if (!connection.isCancelled()) {
            db.useTransaction(tx -> store.ready(tx, wanted, clock.instant()));
            measure(wanted, schema, index);
        }
    }

    /** Counts the attempt. Without a connection this fails too, and nothing is counted. */
    private int countAttempt(StoredIndex wanted) {
        return db.inTransaction(tx -> store.countAttempt(tx, wanted));
    }

    private void measure(StoredIndex built, Schema schema, HotIndex index) {
        var known = statistics.of(built.tables(), schema);
        if (!known.known()) {
            statistics.refresh(built.tables(), schema);
            known = statistics.of(built.tables(), schema);
        }
        measurement
                .of(built.tables(), schema, index, known)
                .ifPresent(effect -> db.useTransaction(tx -> store.measured(tx, built, effect)));
    }

    /** Cancels a running build; another node starts it again. */
    @Override
    public void close() {
        closed = true;
        var connection = running;
        if (connection != null) {
            try {
                connection.cancel();
            } catch (SQLException e) {
                log.debug("an index build could not be cancelled", e);
            }
        }
        if (loop != null) {
            loop.close();
        }
    }
}
