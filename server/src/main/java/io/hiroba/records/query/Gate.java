package io.hiroba.records.query;

import io.hiroba.records.Access;
import io.hiroba.records.schema.Schema;
import java.util.Collection;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a query's statement itself asks again: the caller's role and the schemas' versions. A query is compiled for what this
 * node knows of them, and what it found counts only if that was still so.
 */
final class Gate {

    private final Access access;
    private final String versions;
    private final long version;

    /** @param schemas all that the query was compiled for */
    Gate(Access access, Collection<Schema> schemas) {
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
    String role(Sql sql) {
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
    void require(Passed passed) {
        if (!access.role().name().equals(passed.role()) || passed.version() != version) {
            throw new Closed();
        }
    }

    /** What the statement was told. */
    record Passed(@Nullable String role, long version) {}

    /** The query was compiled for another role or another version of a schema. */
    static final class Closed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Closed() {
            super("compiled for what is no longer so", null, false, false);
        }
    }
}
