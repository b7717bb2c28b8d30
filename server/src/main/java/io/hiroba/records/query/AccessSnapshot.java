package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.Schema;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the caller's role and the schemas' versions that a query was compiled for. A query is compiled for what this
 * node has cached, and its statement reads them again: the result counts only if they are unchanged.
 */
final class AccessSnapshot {

    /**
     * The SQL expression of the snapshot that a statement reads, and of the server's start: one that was restored, or has
     * taken over from another, hands out numbers of transactions again.
     */
    static final String DATA = "(SELECT concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()))";

    private final ProjectAccess access;
    private final List<Schema> schemas;
    private final String versions;
    private final long version;

    /** @param schemas all schemas of the query */
    AccessSnapshot(ProjectAccess access, Collection<Schema> schemas) {
        this.access = access;
        this.schemas = List.copyOf(schemas);
        long sum = 0;
        var each = new StringJoiner(" + ");
        for (var schema : schemas) {
            sum += schema.version();
            each.add("(SELECT version FROM " + access.tables().schemas() + " WHERE schema_id = " + schema.id() + ")");
        }
        // Versions only increase, so their sum is unchanged only if all of them are.
        this.version = sum;
        this.versions = each.toString();
    }

    /** The SQL expression of the caller's role in the project; null without membership. */
    String role(SqlBindings sql) {
        var seenAs = access.seenAs();
        if (seenAs == null) {
            return access.caller().admin() ? "'OWNER'" : memberRole(sql, access.user());
        }
        // Of whom the owner sees the records as, as long as they are one.
        var seen = seenAs.member() == null ? "'" + access.role().name() + "'" : memberRole(sql, seenAs.member());
        return access.caller().admin()
                ? seen
                : "CASE WHEN " + memberRole(sql, access.caller().user()) + " = 'OWNER' THEN " + seen + " END";
    }

    private String memberRole(SqlBindings sql, UserId user) {
        return "(SELECT role FROM records.members WHERE project_id = "
                + sql.bind(access.project().id().value()) + " AND user_id = " + sql.bind(user.value()) + ")";
    }

    /** The SQL expression of the schemas' versions. */
    String versions() {
        return versions;
    }

    /** The same for another caller in the project. */
    AccessSnapshot of(ProjectAccess other) {
        return new AccessSnapshot(other, schemas);
    }

    /** The SQL expression of whether no record of the schemas was written since {@code data} was read. */
    String unchanged(SqlBindings sql, String data) {
        var snapshot = "CAST(" + sql.bind(data.substring(0, data.indexOf(' '))) + " AS pg_snapshot)";
        return "NOT EXISTS (SELECT FROM records.changes AS c WHERE c.project_id = "
                + sql.bind(access.project().id().value())
                + " AND c.schema_id IN ("
                + schemas.stream().map(schema -> String.valueOf(schema.id())).collect(Collectors.joining(", "))
                + ") AND c.xid >= pg_snapshot_xmin(" + snapshot + ") AND NOT pg_visible_in_snapshot(c.xid, " + snapshot
                + "))";
    }

    /** Throws {@link Stale} unless the role and versions are the expected ones. */
    void require(Observed observed) {
        if (!isCurrent(observed)) {
            throw new Stale();
        }
    }

    boolean isCurrent(Observed observed) {
        return access.role().name().equals(observed.role()) && observed.version() == version;
    }

    /**
     * The role and versions that a statement read.
     *
     * @param data {@link #DATA}
     */
    record Observed(@Nullable String role, long version, String data) {

        /** Whether {@code earlier} was read from the same server. */
        boolean isSameServer(String earlier) {
            return data.substring(data.indexOf(' ')).equals(earlier.substring(earlier.indexOf(' ')));
        }
    }

    /** The query was compiled for another role or version of a schema. */
    static final class Stale extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Stale() {
            super("compiled for what is no longer so", null, false, false);
        }
    }
}
