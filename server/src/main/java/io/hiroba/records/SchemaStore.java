package io.hiroba.records;

import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads and writes the schemas of a project in its own tables. */
final class SchemaStore {

    /** The content of {@code attributes.options}, with values as in documents. */
    record Options(
            boolean required,
            @Nullable JsonNode initial,
            @Nullable List<JsonNode> options,
            @Nullable JsonNode min,
            @Nullable JsonNode max,
            @Nullable String pattern,
            boolean prefixSearch,
            @Nullable List<SelectOption> styles,
            @Nullable ValueFormat format) {

        static Options of(SchemaAttribute attribute) {
            return new Options(
                    attribute.required(),
                    attribute.initial(),
                    attribute.options(),
                    attribute.min(),
                    attribute.max(),
                    attribute.pattern(),
                    attribute.prefixSearch(),
                    attribute.styles().isEmpty() ? null : attribute.styles(),
                    attribute.format());
        }
    }

    private record Row(
            short id,
            Schema.Names names,
            int version,
            @Nullable String rules,
            List<SchemaAttribute> attributes,
            List<Schema.Removed> removed,
            List<Stored> all,
            Schema.Calculations calculations) {}

    /** A row of the table of attributes, and the attribute whose values it gets or got. */
    private record Stored(
            SchemaAttribute attribute,
            @Nullable Short from,
            ValueConversion.Written written,
            @Nullable Instant doneAt) {}

    /** A row of {@code former_names}. */
    private record FormerRow(String name, @Nullable Short attribute, long since, long until) {

        Schema.Former former() {
            return new Schema.Former(name, attribute, Instant.ofEpochSecond(since), Instant.ofEpochSecond(until));
        }
    }

    /** The schema by its name, an alias, a former name or its id. */
    Optional<Schema> find(Reads reads, ProjectTables tables, String name) {
        var normalized = SchemaNames.normalized(name);
        if (SchemaNames.isId(normalized)) {
            int id = Integer.parseInt(normalized);
            return id > Short.MAX_VALUE ? Optional.empty() : find(reads, tables, (short) id);
        }
        return read(
                        reads,
                        tables,
                        "s.schema_id = (SELECT schema_id FROM %s WHERE schema_name = :name)"
                                .formatted(tables.registry()),
                        normalized,
                        null)
                .stream()
                .findFirst()
                .map(schema -> schema.calledBy(normalized));
    }

    /** The schema by its id; a deleted one is not there. */
    Optional<Schema> find(Reads reads, ProjectTables tables, short id) {
        return read(reads, tables, "s.schema_id = :id", null, id).stream()
                .filter(schema -> !schema.name().isEmpty())
                .findFirst();
    }

    List<Schema> all(Reads reads, ProjectTables tables) {
        // A deleted schema has no names.
        return read(
                reads,
                tables,
                "EXISTS (SELECT FROM %s AS named WHERE named.schema_id = s.schema_id)".formatted(tables.registry()),
                null,
                null);
    }

    /** Locks and returns the version; 0 if the schema does not exist. */
    int lockVersion(Tx tx, ProjectTables tables, short id) {
        return tx.query("SELECT version FROM %s WHERE schema_id = :id FOR SHARE".formatted(tables.schemas()))
                .bind("id", id)
                .mapTo(Integer.class)
                .findOne()
                .orElse(0);
    }

    /** Locks the schemas and names of the project until {@code tx} ends; records can still be written. */
    void lockNames(Tx tx, ProjectTables tables) {
        tx.update("LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE".formatted(tables.schemas()))
                .execute();
    }

    /** The schema, locked against writers of its records and other changes of schemas until {@code tx} ends; for owners. */
    Schema locked(Tx tx, ProjectAccess access, String called) {
        access.requireOwner();
        lockNames(tx, access.tables());
        var schema = find(tx, access.tables(), called).orElseThrow(() -> RecordsProblem.noSchema(called));
        lock(tx, access.tables(), schema.id());
        return schema;
    }

    /** Locks out writers of the schema's records until {@code tx} ends. */
    void lock(Tx tx, ProjectTables tables, short id) {
        tx.query("SELECT version FROM %s WHERE schema_id = :id FOR UPDATE".formatted(tables.schemas()))
                .bind("id", id)
                .mapTo(Integer.class)
                .findOne();
    }

    /** Inserts a schema without names and attributes and returns its id. Ids are never reused. */
    short insert(Tx tx, ProjectTables tables) {
        return tx.query("""
                INSERT INTO %1$s (schema_id)
                SELECT coalesce(max(schema_id), 99) + 1 FROM %1$s
                RETURNING schema_id
                """.formatted(tables.schemas())).mapTo(Short.class).one();
    }

    /** Those of {@code names} that another schema has. */
    List<String> taken(Tx tx, ProjectTables tables, short id, List<String> names) {
        return tx.query("""
                SELECT schema_name FROM %s WHERE schema_name = ANY (:names) AND schema_id <> :id ORDER BY schema_name
                """.formatted(tables.registry()))
                .bindArray("names", String.class, names.toArray())
                .bind("id", id)
                .mapTo(String.class)
                .list();
    }

    void putNames(Tx tx, ProjectTables tables, short id, String name, List<String> aliases) {
        dropNames(tx, tables, id);
        tx.update("""
                DELETE FROM records.former_names
                WHERE project_id = :project AND schema_id = :id AND attr_id = -1 AND name = ANY (:aliases)
                """)
                .bind("project", tables.project().value())
                .bind("id", id)
                .bindArray("aliases", String.class, aliases.toArray())
                .execute();
        // Former names stay until their time is over.
        tx.update("""
                INSERT INTO %s (schema_name, schema_id, alias)
                SELECT :name, :id, false
                UNION ALL
                SELECT a.alias, :id, true
                FROM (SELECT unnest(:aliases)
                      UNION
                      SELECT name FROM records.former_names
                      WHERE project_id = :project AND schema_id = :id AND attr_id = -1 AND name <> :name) AS a (alias)
                """.formatted(tables.registry()))
                .bind("project", tables.project().value())
                .bind("name", name)
                .bind("id", id)
                .bindArray("aliases", String.class, aliases.toArray())
                .execute();
    }

    void dropNames(Tx tx, ProjectTables tables, short id) {
        tx.update("DELETE FROM %s WHERE schema_id = :id".formatted(tables.registry()))
                .bind("id", id)
                .execute();
    }

    void putAttributes(Tx tx, ProjectTables tables, short schema, List<SchemaAttribute> attributes) {
        if (attributes.isEmpty()) {
            return;
        }
        var batch = tx.batch("""
                INSERT INTO %s (attr_id, schema_id, attr_name, title, value_type, is_unique, target_schema, options)
                VALUES (:id, :schema, :name, :title, :type, :unique, :target, CAST(:options AS jsonb))
                ON CONFLICT (attr_id, schema_id) DO UPDATE
                SET attr_name = excluded.attr_name, title = excluded.title, is_unique = excluded.is_unique,
                    target_schema = excluded.target_schema, options = excluded.options
                """.formatted(tables.attributes()));
        for (var attribute : attributes) {
            batch.bind("id", attribute.id())
                    .bind("schema", schema)
                    .bind("name", attribute.name())
                    .bind("title", attribute.title())
                    .bind("type", attribute.type().label())
                    .bind("unique", attribute.unique())
                    .bind("target", attribute.references())
                    .bind("options", Json.exact().writeValueAsString(Options.of(attribute)))
                    .add();
        }
        batch.execute();
    }

    /** Increments the version, which invalidates compiled queries and caches. */
    void incrementVersion(Tx tx, ProjectTables tables, short id) {
        tx.update("UPDATE %s SET version = version + 1 WHERE schema_id = :id".formatted(tables.schemas()))
                .bind("id", id)
                .execute();
    }

    void putRules(Tx tx, ProjectTables tables, short id, AccessRules rules) {
        tx.update("UPDATE %s SET rules = CAST(:rules AS jsonb) WHERE schema_id = :id".formatted(tables.schemas()))
                .bind("id", id)
                .bind("rules", StoredRules.json(rules))
                .execute();
    }

    private List<Schema> read(
            Reads reads, ProjectTables tables, String which, @Nullable String name, @Nullable Short id) {
        var query = reads.query("""
                SELECT s.schema_id, s.version, s.rules, s.title AS schema_title, n.schema_name, n.aliases, n.former, n.computed,
                       a.attr_id, coalesce(d.name, a.attr_name) AS attr_name, a.title, a.value_type, a.is_unique,
                       a.target_schema, a.options, d.removed_at, d.until, c.from_attr, c.number_format,
                       c.currency_sign, c.date_order, c.ended_at
                FROM %1$s AS s
                CROSS JOIN LATERAL (
                    SELECT coalesce(min(r.schema_name) FILTER (WHERE NOT r.alias), '') AS schema_name,
                           coalesce(array_agg(r.schema_name ORDER BY r.schema_name) FILTER (
                               WHERE r.alias AND NOT EXISTS (
                                   SELECT FROM records.former_names AS f
                                   WHERE f.project_id = :project AND f.schema_id = s.schema_id AND f.attr_id = -1
                                     AND f.name = r.schema_name)), '{}') AS aliases,
                           (SELECT jsonb_agg(jsonb_build_object(
                                'name', f.name, 'attribute', nullif(f.attr_id, -1),
                                'since', CAST(extract(epoch FROM f.since) AS bigint),
                                'until', CAST(extract(epoch FROM f.until) AS bigint)))
                            FROM records.former_names AS f
                            WHERE f.project_id = :project AND f.schema_id = s.schema_id) AS former,
                           (%5$s) AS computed
                    FROM %2$s AS r
                    WHERE r.schema_id = s.schema_id) AS n
                LEFT JOIN %3$s AS a ON a.schema_id = s.schema_id
                LEFT JOIN records.removed_attributes AS d
                    ON d.project_id = :project AND d.schema_id = a.schema_id AND d.attr_id = a.attr_id
                LEFT JOIN records.retypes AS c
                    ON c.project_id = :project AND c.schema_id = a.schema_id AND c.to_attr = a.attr_id
                        AND c.state IN ('RUNNING', 'DONE')
                WHERE %4$s
                ORDER BY s.schema_id, coalesce(a.position, 1000 + a.attr_id / 5), a.attr_id / 5
                """.formatted(
                        tables.schemas(), tables.registry(), tables.attributes(), which, ComputationStore.OF_SCHEMA));
        query.bind("project", tables.project().value());
        if (name != null) {
            query.bind("name", name);
        }
        if (id != null) {
            query.bind("id", id);
        }
        var rows = new ArrayList<Row>();
        query.map(row -> {
                    if (rows.isEmpty() || rows.getLast().id() != row.getShort("schema_id")) {
                        rows.add(new Row(
                                row.getShort("schema_id"),
                                names(row),
                                row.getInt("version"),
                                row.getString("rules"),
                                new ArrayList<>(),
                                new ArrayList<>(),
                                new ArrayList<>(),
                                ComputationStore.read(row.getShort("schema_id"), row.getString("computed"))));
                    }
                    if (row.getString("attr_name") != null) {
                        add(rows.getLast(), row);
                    }
                    return true;
                })
                .list();
        return rows.stream().map(SchemaStore::schema).toList();
    }

    private static Schema schema(Row row) {
        int places = row.all().stream()
                .mapToInt(each -> each.attribute().place() + 1)
                .max()
                .orElse(0);
        var shape =
                new Schema.Shape(row.attributes(), row.removed(), conversions(row.all()), places, row.calculations());
        return new Schema(row.id(), row.names(), row.version(), shape, StoredRules.read(row.rules()));
    }

    private static List<Schema.Conversion> conversions(List<Stored> all) {
        var byId = new HashMap<Short, SchemaAttribute>();
        all.forEach(each -> byId.put(each.attribute().id(), each.attribute()));
        return all.stream()
                .filter(each -> each.from() != null)
                .sorted(Comparator.comparingInt(each -> each.attribute().place()))
                .map(each -> new Schema.Conversion(
                        Objects.requireNonNull(byId.get(each.from())), each.attribute(), each.written(), each.doneAt()))
                .toList();
    }

    private static void add(Row schema, ResultSet row) throws SQLException {
        var attribute = attribute(row);
        short from = row.getShort("from_attr");
        boolean converted = !row.wasNull();
        var at = Columns.instantOrNull(row, "ended_at");
        schema.all().add(new Stored(attribute, converted ? (Short) from : null, RetypeStore.written(row), at));
        var removed = row.getObject("removed_at", OffsetDateTime.class);
        if (removed != null) {
            var until = Columns.instant(row, "until");
            schema.removed().add(new Schema.Removed(attribute, removed.toInstant(), until));
        } else if (!attribute.name().startsWith("_")) {
            schema.attributes().add(attribute);
        }
    }

    private static Schema.Names names(ResultSet row) throws SQLException {
        var former = row.getString("former");
        return new Schema.Names(
                row.getString("schema_name"),
                row.getString("schema_title"),
                List.of((String[]) row.getArray("aliases").getArray()),
                former == null
                        ? List.of()
                        : Stream.of(Json.mapper().readValue(former, FormerRow[].class))
                                .map(FormerRow::former)
                                .toList());
    }

    private static SchemaAttribute attribute(ResultSet row) throws SQLException {
        var options = Json.exact().readValue(row.getString("options"), Options.class);
        short target = row.getShort("target_schema");
        boolean refers = !row.wasNull();
        return new SchemaAttribute(
                row.getShort("attr_id"),
                row.getString("attr_name"),
                row.getString("title"),
                ValueType.named(row.getString("value_type")).orElseThrow(),
                options.required(),
                row.getBoolean("is_unique"),
                given(options.initial()),
                options.options() == null ? List.of() : options.options(),
                given(options.min()),
                given(options.max()),
                options.pattern(),
                options.prefixSearch(),
                refers ? (Short) target : null,
                options.styles() == null ? List.of() : options.styles(),
                options.format());
    }

    private static @Nullable JsonNode given(@Nullable JsonNode value) {
        return value == null || value.isNull() ? null : value;
    }
}
