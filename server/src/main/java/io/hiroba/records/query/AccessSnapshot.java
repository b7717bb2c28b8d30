package io.hiroba.records.query;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.Schema;
import java.util.Collection;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the caller's role and the schemas' versions that a query was compiled for. A query is compiled for what this
 * node has cached, and its statement reads them again: the result counts only if they are unchanged.
 */
final class AccessSnapshot {

    private final ProjectAccess access;
    private final String versions;
    private final long version;

    /** @param schemas all schemas of the query */
    AccessSnapshot(ProjectAccess access, Collection<Schema> schemas) {
        this.access = access;
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
        return access.caller().admin()
                ? "'OWNER'"
                : "(SELECT role FROM records.members WHERE project_id = "
                        + sql.bind(access.project().id().value()) + " AND user_id = "
                        + sql.bind(access.user().value()) + ")";
    }

    /** The SQL expression of the schemas' versions. */
    String versions() {
        return versions;
    }

    /** Throws {@link Stale} unless the role and versions are the expected ones. */
    void require(Observed observed) {
        if (!access.role().name().equals(observed.role()) || observed.version() != version) {
            throw new Stale();
        }
    }

    /** The role and versions that a statement read. */
    record Observed(@Nullable String role, long version) {}

    /** The query was compiled for another role or version of a schema. */
    static final class Stale extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Stale() {
            super("compiled for what is no longer so", null, false, false);
        }
    }
}
