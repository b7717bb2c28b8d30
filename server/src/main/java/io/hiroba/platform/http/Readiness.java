package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether this node is ready: the database answers, takes writes and has room, its schema is up to date, and the node is not
 * stopping.
 */
final class Readiness {

    private static final Logger log = LoggerFactory.getLogger(Readiness.class);

    private final Db db;
    private final Drain drain;
    private final BooleanSupplier migrated;

    Readiness(Db db, Drain drain, BooleanSupplier migrated) {
        this.db = db;
        this.drain = drain;
        this.migrated = migrated;
    }

    Report report() {
        var checks = new LinkedHashMap<String, Boolean>();
        var writable = isWritable();
        checks.put("database", writable.isPresent());
        checks.put("writable", writable.orElse(false));
        checks.put("migrations", migrated.getAsBoolean());
        checks.put("disk", !db.isDiskFull());
        checks.put("accepting", !drain.isAnnounced());
        return new Report(checks.values().stream().allMatch(Boolean::booleanValue), checks);
    }

    /** Whether the database takes writes; empty if it does not answer. */
    private Optional<Boolean> isWritable() {
        try {
            return Optional.of(db.isWritable());
        } catch (DbException e) {
            log.warn("the database does not answer", e);
            return Optional.empty();
        }
    }

    record Report(boolean ready, Map<String, Boolean> checks) {}
}
