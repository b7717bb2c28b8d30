package io.hiroba.embedded;

import java.sql.Connection;
import java.sql.SQLException;

/** The ordinary roles of a server: who owns the schemas, who serves requests, and who may only read. */
record Roles(DatabaseRole owner, DatabaseRole app, DatabaseRole reader) {

    static final String OWNER = "hiroba_owner";
    static final String APP = "hiroba_app";
    static final String READER = "hiroba_readonly";

    /** Whatever is created by the owner from then on has its rights; functions are no way around them. */
    private static final String DEFAULTS = """
            ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT USAGE ON SCHEMAS TO hiroba_app, hiroba_readonly;
            ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO hiroba_app;
            ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT SELECT ON TABLES TO hiroba_readonly;
            ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO hiroba_app;
            ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner REVOKE EXECUTE ON ROUTINES FROM PUBLIC;
            ALTER DEFAULT PRIVILEGES FOR ROLE hiroba_owner GRANT EXECUTE ON ROUTINES TO hiroba_app;
            """;

    /** Hands over what a superuser created before there were these roles. */
    private static final String HAND_OVER = """
            DO $$
            DECLARE
                former CONSTANT oid := (SELECT oid FROM pg_roles WHERE rolname = '%s');
                schemas CONSTANT oid[] := ARRAY(
                    SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public'));
                changed oid[] := '{}';
                each record;
            BEGIN
                FOR each IN
                    SELECT 'SCHEMA' AS kind, CAST(CAST(oid AS regnamespace) AS text) AS name, oid AS schema
                    FROM pg_namespace WHERE nspowner = former AND oid = ANY (schemas)
                    UNION ALL
                    SELECT 'TABLE', CAST(CAST(c.oid AS regclass) AS text), c.relnamespace
                    FROM pg_class c
                    WHERE c.relowner = former AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND c.relnamespace = ANY (schemas)
                      -- A column's sequence goes with its table.
                      AND NOT (c.relkind = 'S' AND EXISTS (
                          SELECT 1 FROM pg_depend d
                          WHERE d.classid = CAST('pg_class' AS regclass) AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
                    UNION ALL
                    SELECT 'ROUTINE', CAST(CAST(oid AS regprocedure) AS text), pronamespace
                    FROM pg_proc WHERE proowner = former AND pronamespace = ANY (schemas)
                    UNION ALL
                    SELECT 'TYPE', CAST(CAST(oid AS regtype) AS text), typnamespace
                    FROM pg_type WHERE typowner = former AND typtype IN ('e', 'd') AND typnamespace = ANY (schemas)
                    UNION ALL
                    SELECT 'COLLATION', CAST(CAST(oid AS regcollation) AS text), collnamespace
                    FROM pg_collation WHERE collowner = former AND collnamespace = ANY (schemas)
                LOOP
                    EXECUTE format('ALTER %%s %%s OWNER TO hiroba_owner', each.kind, each.name);
                    changed := changed || each.schema;
                END LOOP;
                FOR each IN SELECT DISTINCT unnest(changed) AS schema LOOP
                    EXECUTE format('
                        GRANT USAGE ON SCHEMA %%1$s TO hiroba_app, hiroba_readonly;
                        REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA %%1$s FROM PUBLIC;
                        GRANT EXECUTE ON ALL ROUTINES IN SCHEMA %%1$s TO hiroba_app;
                        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %%1$s TO hiroba_app;
                        GRANT SELECT ON ALL TABLES IN SCHEMA %%1$s TO hiroba_readonly;
                        GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA %%1$s TO hiroba_app',
                        CAST(each.schema AS regnamespace));
                END LOOP;
            END
            $$
            """.formatted(DataFolder.USER);

    /** A lock of who may only read would keep the server waiting that takes the same one. */
    private static final String LOCKS = """
            DO $$
            DECLARE
                each record;
            BEGIN
                FOR each IN
                    SELECT CAST(CAST(oid AS regprocedure) AS text) AS name
                    FROM pg_proc
                    WHERE pronamespace = CAST('pg_catalog' AS regnamespace) AND proname ~ '^pg_(try_)?advisory_'
                      AND has_function_privilege('public', oid, 'EXECUTE')
                LOOP
                    EXECUTE format('
                        REVOKE EXECUTE ON FUNCTION %1$s FROM PUBLIC;
                        GRANT EXECUTE ON FUNCTION %1$s TO hiroba_owner, hiroba_app', each.name);
                END LOOP;
            END
            $$
            """;

    static boolean isStandby(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
            return row.next() && row.getBoolean(1);
        }
    }

    /**
     * Creates the roles where they are missing, and sets their passwords. These are 24 random bytes, which no repetition makes
     * harder to guess: hashing them once spares each login thousands of rounds, which a JVM that has just started takes a
     * tenth of a second for.
     *
     * @param password the superuser's own
     */
    void ensure(Connection superuser, String password) throws SQLException {
        try (var statement = superuser.createStatement()) {
            statement.execute("SET scram_iterations = 1");
            statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(DataFolder.USER, password));
            for (var role : new DatabaseRole[] {owner, app, reader}) {
                statement.execute("""
                        DO $$ BEGIN
                            IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '%1$s') THEN CREATE ROLE %1$s; END IF;
                        END $$;
                        ALTER ROLE %1$s LOGIN NOSUPERUSER PASSWORD '%2$s'
                        """.formatted(role.name(), role.password()));
            }
            // For the roles that read the records of a project by SQL. It can change no other role.
            statement.execute("ALTER ROLE " + OWNER + " CREATEROLE");
            // To see and cancel the owner's index builds.
            statement.execute("GRANT pg_read_all_stats, pg_signal_backend TO " + APP);
        }
    }

    /** Gives a database to the owner, with the rights of the others, in one transaction. */
    static void own(Connection superuser, String database) throws SQLException {
        superuser.setAutoCommit(false);
        try (var statement = superuser.createStatement()) {
            statement.execute("ALTER DATABASE %s OWNER TO %s".formatted(database, OWNER));
            statement.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public");
            statement.execute(DEFAULTS);
            statement.execute(HAND_OVER);
            statement.execute(LOCKS);
            superuser.commit();
        }
    }
}
