-- Records that are read by SQL (docs/adr/0115-sql-access.md): a schema with a view for each schema of the project, and a role that can
-- read those and nothing else.
CREATE TABLE records.sql_access (
    project_id BIGINT PRIMARY KEY REFERENCES records.projects (id) ON DELETE CASCADE,
    -- The suffix of the project's tables.
    suffix     TEXT        NOT NULL UNIQUE,
    role_name  TEXT        NOT NULL UNIQUE,
    view_space TEXT        NOT NULL UNIQUE,
    -- Whose rules hold in the views: those of viewers, or those of owners, who have none.
    reads_as   TEXT        NOT NULL CHECK (reads_as IN ('VIEWER', 'OWNER')),
    created_at TIMESTAMPTZ NOT NULL
);

-- The views that there are, to see which of them a change of schemas touches.
CREATE TABLE records.sql_views (
    project_id BIGINT   NOT NULL REFERENCES records.sql_access (project_id) ON DELETE CASCADE,
    schema_id  SMALLINT NOT NULL,
    view_name  TEXT     NOT NULL,
    definition TEXT     NOT NULL,
    PRIMARY KEY (project_id, schema_id)
);

-- An identifier of at most 63 bytes. A name that fits is its own; another is cut and told apart by the id.
CREATE FUNCTION records.sql_name(name TEXT, taken TEXT[], id INT) RETURNS text LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $name$
DECLARE
    ending TEXT := '';
    cut    TEXT := name;
BEGIN
    IF octet_length(name) <= 63 THEN
        RETURN name;
    END IF;
    LOOP
        WHILE octet_length(cut || ending) > 63 LOOP
            cut := left(cut, -1);
        END LOOP;
        EXIT WHEN NOT cut || ending = ANY (taken);
        ending := ending || '_' || id;
    END LOOP;
    RETURN cut || ending;
END
$name$;

-- The views that a project should have.
CREATE FUNCTION records.sql_view_definitions(project_suffix TEXT, reader TEXT)
RETURNS TABLE (schema_id SMALLINT, view_name TEXT, definition TEXT) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $definitions$
DECLARE
    names     TEXT[];
    columns   TEXT[];
    selected  TEXT;
    item      TEXT;
    micros    TEXT;
    moment    TEXT;
    each      RECORD;
    attribute RECORD;
BEGIN
    EXECUTE replace($q$
        SELECT array_agg(CAST(schema_name AS text)) FROM records."schema_registry_@" WHERE NOT alias AND octet_length(schema_name) <= 63
        $q$, '@', project_suffix) INTO names;
    names := coalesce(names, '{}');
    -- Who may see only some records is a person, which this role is not: such schemas are left out.
    FOR each IN EXECUTE replace($q$
        SELECT s.schema_id, CAST(r.schema_name AS text) AS schema_name, coalesce(s.rules -> 'hidden', '[]') AS hidden
        FROM records."schemas_@" AS s
        JOIN records."schema_registry_@" AS r ON r.schema_id = s.schema_id AND NOT r.alias
        WHERE $1 = 'OWNER'
           OR (NOT coalesce(CAST(s.rules ->> 'ownRowsOnly' AS boolean), false) AND s.rules ->> 'matching' IS NULL)
        ORDER BY s.schema_id
        $q$, '@', project_suffix) USING reader
    LOOP
        schema_id := each.schema_id;
        view_name := records.sql_name(each.schema_name, names, each.schema_id);
        names := names || view_name;
        selected := $s$r.row_id AS _id, r.version AS _version,
            to_timestamp(CAST(CAST('x' || left(replace(CAST(r.row_id AS text), '-', ''), 12) AS bit(48)) AS bigint) / 1000.0) AS _created_at,
            lpad(upper(to_hex(r.created_by)), 16, '0') AS _created_by,
            r.updated_at AS _updated_at, lpad(upper(to_hex(r.updated_by)), 16, '0') AS _updated_by$s$;
        EXECUTE replace($q$
            SELECT array_agg(CAST(attr_name AS text)) FROM records."attributes_@" WHERE schema_id = $1 AND octet_length(attr_name) <= 63
            $q$, '@', project_suffix) INTO columns USING each.schema_id;
        columns := coalesce(columns, '{}');
        -- The row of a removed attribute has a name that begins with a low line.
        FOR attribute IN EXECUTE replace($q$
            SELECT attr_id, CAST(attr_name AS text) AS attr_name, value_type, target_schema, attr_id / 5 AS place
            FROM records."attributes_@"
            WHERE schema_id = $1 AND left(attr_name, 1) <> '_' AND ($2 = 'OWNER' OR NOT $3 ? attr_name)
            ORDER BY coalesce(position, 1000 + attr_id / 5), attr_id / 5
            $q$, '@', project_suffix) USING each.schema_id, reader, each.hidden
        LOOP
            micros := format('CAST(r.doc ->> %s AS bigint)', attribute.place);
            -- Days and moments are microseconds since 1970. Hours as intervals are exact in every year.
            moment := format(
                $m$timestamp '1970-01-01' + make_interval(hours => CAST(%1$s / 3600000000 AS int)) + (%1$s %% 3600000000) * interval '1 microsecond'$m$,
                micros);
            item := CASE
                WHEN attribute.target_schema IS NOT NULL THEN format('CAST(r.doc ->> %s AS uuid)', attribute.place)
                WHEN attribute.value_type = 'text' THEN format('r.doc ->> %s', attribute.place)
                WHEN attribute.value_type = 'numeric' THEN format('CAST(r.doc ->> %s AS numeric)', attribute.place)
                WHEN attribute.value_type = 'bool' THEN format('CAST(r.doc ->> %s AS boolean)', attribute.place)
                WHEN attribute.value_type = 'date' THEN format('CAST(%s AS date)', moment)
                WHEN attribute.value_type = 'datetime' THEN format('(%s) AT TIME ZONE ''UTC''', moment)
                ELSE format('nullif(r.doc -> %s, ''null'')', attribute.place)
            END;
            item := format('%s AS %I', item, records.sql_name(attribute.attr_name, columns, attribute.attr_id));
            columns := columns || records.sql_name(attribute.attr_name, columns, attribute.attr_id);
            selected := selected || E',\n            ' || item;
        END LOOP;
        definition := format(
            E'SELECT %s\n        FROM records.%I AS r WHERE r.schema_id = %s', selected, 'records_' || project_suffix, each.schema_id);
        RETURN NEXT;
    END LOOP;
END
$definitions$;

-- Makes the views those that the project should have.
CREATE FUNCTION records.sync_sql_views(project_suffix TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $sync$
DECLARE
    access records.sql_access;
    wanted JSONB;
    each   RECORD;
BEGIN
    SELECT * INTO access FROM records.sql_access WHERE suffix = project_suffix FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT coalesce(jsonb_agg(to_jsonb(d)), '[]') INTO wanted
    FROM records.sql_view_definitions(project_suffix, access.reads_as) AS d;
    IF NOT EXISTS (
        SELECT FROM jsonb_to_recordset(wanted) AS w (schema_id SMALLINT, view_name TEXT, definition TEXT)
        FULL JOIN (SELECT * FROM records.sql_views WHERE project_id = access.project_id) AS v USING (schema_id)
        WHERE (w.view_name, w.definition) IS DISTINCT FROM (v.view_name, v.definition))
    THEN
        RETURN;
    END IF;
    PERFORM records.end_sql_sessions(access.role_name);
    FOR each IN
        DELETE FROM records.sql_views AS v
        WHERE v.project_id = access.project_id AND NOT EXISTS (
            SELECT FROM jsonb_to_recordset(wanted) AS w (schema_id SMALLINT, view_name TEXT, definition TEXT)
            WHERE w.schema_id = v.schema_id AND w.view_name = v.view_name AND w.definition = v.definition)
        RETURNING v.view_name
    LOOP
        EXECUTE format('DROP VIEW %I.%I', access.view_space, each.view_name);
    END LOOP;
    FOR each IN
        INSERT INTO records.sql_views (project_id, schema_id, view_name, definition)
        SELECT access.project_id, w.schema_id, w.view_name, w.definition
        FROM jsonb_to_recordset(wanted) AS w (schema_id SMALLINT, view_name TEXT, definition TEXT)
        ON CONFLICT (project_id, schema_id) DO NOTHING
        RETURNING view_name, definition
    LOOP
        -- A barrier: a condition of the reader must not be tried on records of other schemas.
        EXECUTE format('CREATE VIEW %I.%I WITH (security_barrier) AS %s', access.view_space, each.view_name, each.definition);
        EXECUTE format('GRANT SELECT ON %I.%I TO %I', access.view_space, each.view_name, access.role_name);
    END LOOP;
END
$sync$;

-- Ends what readers are in the middle of, so that a change of schemas does not wait for them with its locks.
CREATE FUNCTION records.end_sql_sessions(reader TEXT) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $end$
BEGIN
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE usename = reader AND reader ~ '^hiroba_sql_[0-9a-f]{16}$' AND state IS DISTINCT FROM 'idle' AND pid <> pg_backend_pid();
EXCEPTION
    -- They end by their timeouts.
    WHEN insufficient_privilege THEN NULL;
END
$end$;

-- At the end of each transaction that changed schemas, once: then all of its changes are there.
CREATE FUNCTION records.sql_views_changed() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $changed$
BEGIN
    IF current_setting('hiroba.sql_views', true) IS DISTINCT FROM TG_ARGV[0] THEN
        PERFORM records.sync_sql_views(TG_ARGV[0]);
        PERFORM set_config('hiroba.sql_views', TG_ARGV[0], true);
    END IF;
    RETURN NULL;
END
$changed$;

-- Gives a project its role and views, or the role another password. The secret is a SCRAM verifier: no log has the password.
CREATE FUNCTION records.open_sql_access(project BIGINT, project_suffix TEXT, secret TEXT, reader TEXT, at TIMESTAMPTZ) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $open$
DECLARE
    role_name  CONSTANT TEXT := 'hiroba_sql_' || right(project_suffix, 16);
    view_space CONSTANT TEXT := 'sql_' || right(project_suffix, 16);
    changed    TEXT;
BEGIN
    IF project_suffix !~ '^[a-z2-7]{13}_[0-9a-f]{16}$' OR secret !~ '^SCRAM-SHA-256\$[0-9]+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' THEN
        RAISE EXCEPTION 'no suffix of a project, or no verifier';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
        -- Its sessions are ended by who owns the views.
        EXECUTE format('GRANT %I TO %I WITH INHERIT TRUE', role_name, current_user);
    END IF;
    EXECUTE format('ALTER ROLE %I LOGIN NOINHERIT CONNECTION LIMIT 5 PASSWORD %L', role_name, secret);
    EXECUTE format('ALTER ROLE %I SET default_transaction_read_only = on', role_name);
    EXECUTE format('ALTER ROLE %I SET statement_timeout = ''30s''', role_name);
    EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''30s''', role_name);
    EXECUTE format('ALTER ROLE %I SET search_path = %I', role_name, view_space);
    -- Who may only read has no use for tables of their own, and Hiroba makes none.
    IF has_database_privilege('public', current_database(), 'TEMPORARY') THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END IF;
    INSERT INTO records.sql_access (project_id, suffix, role_name, view_space, reads_as, created_at)
    VALUES (project, project_suffix, role_name, view_space, reader, at)
    ON CONFLICT (project_id) DO UPDATE SET reads_as = excluded.reads_as, created_at = excluded.created_at;
    IF to_regnamespace(view_space) IS NULL THEN
        EXECUTE format('CREATE SCHEMA %I', view_space);
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', view_space, role_name);
        FOREACH changed IN ARRAY ARRAY['schemas', 'schema_registry', 'attributes'] LOOP
            EXECUTE format(
                'CREATE CONSTRAINT TRIGGER sql_views AFTER INSERT OR UPDATE OR DELETE ON records.%I DEFERRABLE INITIALLY DEFERRED '
                    || 'FOR EACH ROW EXECUTE FUNCTION records.sql_views_changed(%L)',
                changed || '_' || project_suffix, project_suffix);
        END LOOP;
    END IF;
    PERFORM records.sync_sql_views(project_suffix);
END
$open$;

-- Takes them away.
CREATE FUNCTION records.close_sql_access(project_suffix TEXT) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $close$
DECLARE
    access  records.sql_access;
    changed TEXT;
BEGIN
    SELECT * INTO access FROM records.sql_access WHERE suffix = project_suffix FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    EXECUTE format('ALTER ROLE %I NOLOGIN', access.role_name);
    PERFORM records.end_sql_sessions(access.role_name);
    FOREACH changed IN ARRAY ARRAY['schemas', 'schema_registry', 'attributes'] LOOP
        EXECUTE format('DROP TRIGGER sql_views ON records.%I', changed || '_' || project_suffix);
    END LOOP;
    EXECUTE format('DROP SCHEMA %I CASCADE', access.view_space);
    EXECUTE format('DROP ROLE %I', access.role_name);
    DELETE FROM records.sql_access WHERE project_id = access.project_id;
    RETURN true;
END
$close$;
