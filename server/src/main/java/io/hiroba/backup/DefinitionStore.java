package io.hiroba.backup;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Reads the definitions of a database as lines that two servers can be compared by, and writes the statements that make what migrations
 * do not: tables of projects and of embeddings, indexes made on demand, and the views and triggers of SQL access.
 */
final class DefinitionStore {

    /** The objects of all schemas but the system's; those of extensions come with them. */
    private static final String OWN = """
            n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_depend d
                WHERE d.classid = '%s'::regclass AND d.objid = %s AND d.deptype = 'e')
            """;

    private static final String OWN_CLASS = OWN.formatted("pg_catalog.pg_class", "c.oid");

    /** An index that no constraint and no partitioned index brings along. */
    private static final String PLAIN_INDEX = """
            FROM pg_catalog.pg_index i
            JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
            JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE i.indisvalid AND c.relkind = 'r' AND NOT c.relispartition AND %s
                AND NOT EXISTS (
                    SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
            """.formatted(OWN_CLASS);

    /** What Hiroba makes none of: it is not copied, and not lost unseen either. */
    private static final String OTHERS = """
            SELECT 'policy ' || quote_ident(polname) FROM pg_catalog.pg_policy
            UNION ALL SELECT 'statistics ' || quote_ident(stxname) FROM pg_catalog.pg_statistic_ext
            UNION ALL SELECT 'event trigger ' || quote_ident(evtname) FROM pg_catalog.pg_event_trigger
            UNION ALL SELECT 'publication ' || quote_ident(pubname) FROM pg_catalog.pg_publication
            UNION ALL SELECT 'subscription ' || quote_ident(subname) FROM pg_catalog.pg_subscription
            UNION ALL SELECT 'foreign server ' || quote_ident(srvname) FROM pg_catalog.pg_foreign_server
            UNION ALL SELECT 'tablespace ' || quote_ident(spcname) FROM pg_catalog.pg_tablespace WHERE spcname !~ '^pg_'
            UNION ALL SELECT 'large object ' || oid FROM pg_catalog.pg_largeobject_metadata
            UNION ALL
            SELECT format('rule %s %I', CAST(ev_class AS regclass), rulename) FROM pg_catalog.pg_rewrite
            WHERE rulename <> '_RETURN' AND oid >= 16384
            UNION ALL
            SELECT format('text search %s', CAST(oid AS regconfig)) FROM pg_catalog.pg_ts_config WHERE oid >= 16384
            UNION ALL
            SELECT format('row security %s', CAST(oid AS regclass)) FROM pg_catalog.pg_class WHERE relrowsecurity
            UNION ALL
            SELECT format('inherits %s %s', CAST(inhrelid AS regclass), CAST(inhparent AS regclass)) FROM pg_catalog.pg_inherits
            UNION ALL
            SELECT format('right %s %I %s', CAST(attrelid AS regclass), attname, attacl) FROM pg_catalog.pg_attribute
            WHERE attacl IS NOT NULL AND attrelid >= 16384
            """;

    private final ClusterStore store;

    DefinitionStore(ClusterStore store) {
        this.store = store;
    }

    /** A kind of objects that two databases are compared by, in the order in which they can be made. */
    enum Kind {
        SCHEMA,
        EXTENSION,
        TYPE,
        ROUTINE,
        TABLE,
        VIEW,
        COLUMN,
        CONSTRAINT,
        INDEX,
        TRIGGER,
        RIGHT,
        OTHER
    }

    /** The objects of a kind, each a line with all of it that matters. */
    SortedSet<String> all(Kind kind) throws SQLException {
        return new TreeSet<>(store.strings(
                switch (kind) {
                    case EXTENSION -> """
                            SELECT format('CREATE EXTENSION %I SCHEMA %I', e.extname, n.nspname)
                            FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
                            WHERE e.extname <> 'plpgsql'
                            """;
                    case SCHEMA ->
                        "SELECT format('CREATE SCHEMA %I AUTHORIZATION %I', n.nspname, pg_get_userbyid(n.nspowner))"
                                + " FROM pg_catalog.pg_namespace n WHERE n.nspname <> 'public' AND "
                                + OWN.formatted("pg_catalog.pg_namespace", "n.oid");
                    case TYPE ->
                        """
                            SELECT format('%%I.%%I %%s %%s', n.nspname, t.typname, t.typtype, (
                                SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder)
                                FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid))
                            FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
                            WHERE t.typtype IN ('e', 'd', 'r') AND %s
                            UNION ALL
                            SELECT format('%%I.%%I collation %%s', n.nspname, t.collname, t.collprovider)
                            FROM pg_catalog.pg_collation t JOIN pg_catalog.pg_namespace n ON n.oid = t.collnamespace
                            WHERE %s
                            """.formatted(
                                        OWN.formatted("pg_catalog.pg_type", "t.oid"),
                                        OWN.formatted("pg_catalog.pg_collation", "t.oid"));
                    case ROUTINE -> """
                            SELECT format('%%s %%s %%s %%s %%s', CAST(p.oid AS regprocedure), pg_get_userbyid(p.proowner), p.prosecdef,
                                p.proconfig, md5(p.prosrc))
                            FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
                            WHERE %s
                            """.formatted(OWN.formatted("pg_catalog.pg_proc", "p.oid"));
                    case TABLE -> """
                            SELECT format('%%I.%%I %%s %%s %%s %%s %%s', n.nspname, c.relname, c.relkind, c.relpersistence,
                                pg_get_userbyid(c.relowner), pg_get_expr(c.relpartbound, c.oid), c.reloptions)
                            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                            WHERE c.relkind IN ('r', 'p', 'm', 'S', 'f') AND %s
                            """.formatted(OWN_CLASS);
                    case VIEW -> """
                            SELECT format('%%I.%%I %%s %%s', n.nspname, c.relname, pg_get_userbyid(c.relowner), c.reloptions)
                            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                            WHERE c.relkind = 'v' AND %s
                            """.formatted(OWN_CLASS);
                    case COLUMN -> """
                            SELECT format('%%I.%%I.%%I %%s %%s %%s%%s%%s %%s', n.nspname, c.relname, a.attname,
                                format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attidentity, a.atthasdef,
                                a.attstorage)
                            FROM pg_catalog.pg_attribute a
                            JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
                            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                            WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND %s
                            """.formatted(OWN_CLASS);
                    case CONSTRAINT -> """
                            SELECT format('%%I.%%I %%I %%s %%s %%s', n.nspname, c.relname, k.conname, k.contype, k.condeferrable,
                                k.convalidated)
                            FROM pg_catalog.pg_constraint k
                            JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
                            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                            WHERE k.contype IN ('p', 'u', 'x', 'c', 'f') AND %s
                            """.formatted(OWN_CLASS);
                    case INDEX -> "SELECT pg_get_indexdef(i.indexrelid) " + PLAIN_INDEX;
                    case TRIGGER -> """
                            SELECT pg_get_triggerdef(t.oid) || ' ' || CAST(t.tgenabled AS text)
                            FROM pg_catalog.pg_trigger t
                            JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
                            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                            WHERE NOT t.tgisinternal AND %s
                            """.formatted(OWN_CLASS);
                    case RIGHT -> rights();
                    case OTHER -> OTHERS;
                }));
    }

    /** Without the owner's own: a new version may have a right more, which owners have. */
    private static String rights() {
        return """
                SELECT format('GRANT %%s ON %%s TO %%s%%s', a.privilege_type, o.name,
                    CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
                FROM (
                    SELECT format('%%s %%I.%%I', CASE WHEN c.relkind = 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, n.nspname, c.relname)
                            AS name, c.relowner AS owner,
                        coalesce(c.relacl, acldefault(CASE WHEN c.relkind = 'S' THEN 's'::"char" ELSE 'r' END, c.relowner)) AS acl
                    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S') AND %s
                    UNION ALL
                    SELECT format('SCHEMA %%I', n.nspname), n.nspowner, coalesce(n.nspacl, acldefault('n', n.nspowner))
                    FROM pg_catalog.pg_namespace n WHERE %s
                    UNION ALL
                    SELECT format('DATABASE %%I', b.datname), b.datdba, coalesce(b.datacl, acldefault('d', b.datdba))
                    FROM pg_catalog.pg_database b WHERE b.datname = current_database()
                    UNION ALL
                    SELECT format('ROUTINE %%s', CAST(p.oid AS regprocedure)), p.proowner,
                        coalesce(p.proacl, acldefault('f', p.proowner))
                    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace WHERE %s
                ) AS o
                CROSS JOIN LATERAL aclexplode(o.acl) AS a
                WHERE a.grantee <> o.owner
                """.formatted(
                        OWN_CLASS,
                        OWN.formatted("pg_catalog.pg_namespace", "n.oid"),
                        OWN.formatted("pg_catalog.pg_proc", "p.oid"));
    }

    /** The statements that give the rights which new objects come with, and take those from everybody that they would have. */
    SortedSet<String> defaultRights() throws SQLException {
        return new TreeSet<>(store.strings("""
                SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %I%s %s %s ON %s %s %s%s',
                    pg_get_userbyid(d.defaclrole),
                    ' IN SCHEMA ' || quote_ident(n.nspname),
                    CASE WHEN a.is_given THEN 'GRANT' ELSE 'REVOKE' END,
                    a.privilege_type,
                    CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'ROUTINES'
                        WHEN 'T' THEN 'TYPES' WHEN 'n' THEN 'SCHEMAS' ELSE 'LARGE OBJECTS' END,
                    CASE WHEN a.is_given THEN 'TO' ELSE 'FROM' END,
                    CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
                FROM pg_catalog.pg_default_acl d
                LEFT JOIN pg_catalog.pg_namespace n ON n.oid = d.defaclnamespace
                CROSS JOIN LATERAL (
                    SELECT true AS is_given, grantee, privilege_type, is_grantable FROM aclexplode(d.defaclacl)
                    UNION ALL
                    (SELECT false, grantee, privilege_type, false FROM aclexplode(acldefault(d.defaclobjtype, d.defaclrole))
                     WHERE d.defaclobjtype IN ('f', 'T') AND d.defaclnamespace = 0
                     EXCEPT
                     SELECT false, grantee, privilege_type, false FROM aclexplode(d.defaclacl))
                ) AS a
                WHERE a.grantee <> d.defaclrole
                """));
    }

    /** The names of ordinary tables. */
    SortedSet<String> tableNames() throws SQLException {
        return new TreeSet<>(store.strings("""
                SELECT format('%%I.%%I', n.nspname, c.relname)
                FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind = 'r' AND NOT c.relispartition AND %s
                """.formatted(OWN_CLASS)));
    }

    /** The statements that make tables as they are here: first all tables, then their keys and checks, then references. */
    List<String> tableStatements(Collection<String> names) throws SQLException {
        var statements = new ArrayList<String>();
        for (var name : names) {
            statements.addAll(store.strings("""
                    SELECT format('CREATE %s TABLE %s (%s)%s',
                        CASE WHEN c.relpersistence = 'u' THEN 'UNLOGGED' ELSE '' END,
                        ?,
                        (SELECT string_agg(format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                                CASE WHEN a.attcollation <> t.typcollation THEN format(' COLLATE %s',
                                    CAST(a.attcollation AS regcollation)) ELSE '' END,
                                CASE WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY'
                                     WHEN a.attidentity = 'd' THEN ' GENERATED BY DEFAULT AS IDENTITY'
                                     WHEN a.attgenerated = 's' THEN format(' GENERATED ALWAYS AS (%s) STORED',
                                         pg_get_expr(f.adbin, f.adrelid))
                                     WHEN f.oid IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(f.adbin, f.adrelid)
                                     ELSE '' END,
                                CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END), ', ' ORDER BY a.attnum)
                            FROM pg_catalog.pg_attribute a
                            JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                            LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
                            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
                        coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', ''))
                    FROM pg_catalog.pg_class c WHERE c.oid = CAST(? AS regclass)
                    """, name, name));
            statements.addAll(store.strings("""
                    SELECT format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE %s', ?, a.attname,
                        CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END)
                    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                    WHERE a.attrelid = CAST(? AS regclass) AND a.attnum > 0 AND NOT a.attisdropped
                        AND a.attstorage <> t.typstorage
                    UNION ALL
                    SELECT format('ALTER TABLE %s OWNER TO %I', CAST(c.oid AS regclass), pg_get_userbyid(c.relowner))
                    FROM pg_catalog.pg_class c WHERE c.oid = CAST(? AS regclass)
                    """, name, name, name));
        }
        for (var kinds : List.of("'p', 'u', 'x', 'c'", "'f'")) {
            for (var name : names) {
                statements.addAll(store.strings("""
                        SELECT format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s', ?, conname, pg_get_constraintdef(oid))
                        FROM pg_catalog.pg_constraint
                        WHERE conrelid = CAST(? AS regclass) AND contype IN (%s) ORDER BY conname
                        """.formatted(kinds), name, name));
            }
        }
        return statements;
    }

    /** The functions of all schemas. */
    SortedSet<String> functions() throws SQLException {
        return functions("");
    }

    /** The functions that triggers call: those of a project's tables are made with them. */
    SortedSet<String> triggerFunctions() throws SQLException {
        return functions(
                "AND EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgfoid = p.oid AND NOT t.tgisinternal)");
    }

    private SortedSet<String> functions(String which) throws SQLException {
        return new TreeSet<>(store.strings("""
                SELECT CAST(CAST(p.oid AS regprocedure) AS text)
                FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace WHERE %s %s
                """.formatted(OWN.formatted("pg_catalog.pg_proc", "p.oid"), which)));
    }

    /** The statements that make a function as it is here. */
    List<String> functionStatements(String function) throws SQLException {
        return store.strings("""
                SELECT pg_get_functiondef(oid) FROM pg_catalog.pg_proc WHERE oid = CAST(? AS regprocedure)
                UNION ALL
                SELECT format('ALTER FUNCTION %s OWNER TO %I', CAST(oid AS regprocedure), pg_get_userbyid(proowner))
                FROM pg_catalog.pg_proc WHERE oid = CAST(? AS regprocedure)
                """, function, function);
    }

    /** The statements that drop indexes of tables which are built faster once the rows are there; not those that references rely on. */
    List<String> indexDrops(Collection<String> tables) throws SQLException {
        return store.strings(
                "SELECT format('DROP INDEX %I.%I', n.nspname, x.relname) " + PLAIN_INDEX
                        + " AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid)"
                        + " AND format('%I.%I', n.nspname, c.relname) = ANY (string_to_array(?, chr(10)))",
                String.join("\n", tables));
    }

    /** The statements that make views as they are here, in the order in which they were made. */
    List<String> viewStatements() throws SQLException {
        return store.strings("""
                SELECT format('CREATE VIEW %%I.%%I%%s AS %%s', n.nspname, c.relname,
                    coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', ''), pg_get_viewdef(c.oid))
                    || format(' ALTER VIEW %%I.%%I OWNER TO %%I', n.nspname, c.relname, pg_get_userbyid(c.relowner))
                FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind = 'v' AND %s ORDER BY c.oid
                """.formatted(OWN_CLASS));
    }

    /** The names of views, in the same order. */
    List<String> viewNames() throws SQLException {
        return store.strings("""
                SELECT format('%%I.%%I', n.nspname, c.relname)
                FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind = 'v' AND %s ORDER BY c.oid
                """.formatted(OWN_CLASS));
    }
}
