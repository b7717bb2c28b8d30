package io.hiroba.platform.http;

import io.hiroba.platform.db.Db;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.JdbiException;

/** Whether this node should be sent requests: the database answers, its schema is complete, and we are not stopping. */
final class Readiness {

    private final Db db;
    private final Drain drain;

    Readiness(Db db, Drain drain) {
        this.db = db;
        this.drain = drain;
    }

    Report report() {
        var checks = new LinkedHashMap<String, Boolean>();
        checks.put("database", true);
        checks.put("migrations", true);
        try {
            checks.put("migrations", isMigrated());
        } catch (JdbiException e) {
            checks.put("database", false);
            checks.put("migrations", false);
        }
        checks.put("accepting", !drain.hasBegun());
        return new Report(checks.values().stream().allMatch(Boolean::booleanValue), checks);
    }

    private boolean isMigrated() {
        return db.read(reads -> reads.query("""
                        SELECT to_regclass('platform.secrets') IS NOT NULL
                        """).mapTo(Boolean.class).one());
    }

    record Report(boolean ready, Map<String, Boolean> checks) {}
}
