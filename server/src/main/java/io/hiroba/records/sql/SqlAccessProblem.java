package io.hiroba.records.sql;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;

/** The problems of access by SQL. */
final class SqlAccessProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private SqlAccessProblem(Kind kind, String code) {
        super(kind, "records." + code, Text.of("records.problem." + code));
    }

    static SqlAccessProblem none() {
        return new SqlAccessProblem(Kind.NOT_FOUND, "no-sql-access");
    }

    /** The role that owns the schemas of the database may not create roles. */
    static SqlAccessProblem noRoles() {
        return new SqlAccessProblem(Kind.CONFLICT, "sql-access-roles");
    }
}
