package io.hiroba.records.query;

import io.hiroba.records.Access;
import io.hiroba.records.Role;
import io.hiroba.records.schema.Schema;
import java.util.Collection;
import java.util.stream.Collectors;

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
        // Versions only go up, so none of them has if their sum has not.
        this.version = schemas.stream().mapToLong(Schema::version).sum();
        this.versions = "(SELECT sum(version) FROM %s WHERE schema_id IN (%s))"
                .formatted(
                        access.tables().schemas(),
                        schemas.stream()
                                .map(schema -> String.valueOf(schema.id()))
                                .collect(Collectors.joining(", ")));
    }

    /** One row, or none for who is no member: {@code role, version}. */
    String sql(Sql sql) {
        if (access.caller().admin()) {
            return "SELECT 'OWNER' AS role, %s AS version".formatted(versions);
        }
        return "SELECT role, %s AS version FROM records.members WHERE project_id = %s AND user_id = %s"
                .formatted(
                        versions,
                        sql.bind(access.project().id().value()),
                        sql.bind(access.user().value()));
    }

    /** Lets pass what was compiled for what is so. */
    void require(Role role, long found) {
        if (role != access.role() || found != version) {
            throw new Closed();
        }
    }

    /** The query was compiled for another role or another version of a schema. */
    static final class Closed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Closed() {
            super("compiled for what is no longer so", null, false, false);
        }
    }
}
