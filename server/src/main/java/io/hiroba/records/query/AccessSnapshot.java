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

    /** @param schemas all that the query was compiled for */
    AccessSnapshot(ProjectAccess access, Collection<Schema> schemas) {
        this.access = access;
        long sum = 0;
        var each = new StringJoiner(" + ");
        for (var schema : schemas) {
            sum += schema.version();
            each.add("(SELECT version FROM " + access.tables().schemas() + " WHERE schema_id = " + schema.id() + ")");
        }
        // Versions only go up, so none of them has if their sum has not.
        this.version = sum;
        this.versions = each.toString();
    }

    /** What the caller is in the project, as an expression: null for who is no member. */
    String role(SqlBindings sql) {
        return access.caller().admin()
                ? "'OWNER'"
                : "(SELECT role FROM records.members WHERE project_id = "
                        + sql.bind(access.project().id().value()) + " AND user_id = "
                        + sql.bind(access.user().value()) + ")";
    }

    /** The schemas' versions, as an expression. */
    String versions() {
        return versions;
    }

    /** Lets pass what was compiled for what is so. */
    void require(Observed observed) {
        if (!access.role().name().equals(observed.role()) || observed.version() != version) {
            throw new Stale();
        }
    }

    /** The role and versions that the statement read. */
    record Observed(@Nullable String role, long version) {}

    /** The query was compiled for another role or another version of a schema. */
    static final class Stale extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Stale() {
            super("compiled for what is no longer so", null, false, false);
        }
    }
}
