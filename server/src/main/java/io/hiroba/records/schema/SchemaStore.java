package io.hiroba.records.schema;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.records.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A project's schemas in its own tables. */
final class SchemaStore {

    /** What stands in {@code attributes.options}; values are as documents hold them. */
    record Options(
            boolean required,
            @Nullable JsonNode initial,
            @Nullable List<JsonNode> options,
            @Nullable JsonNode min,
            @Nullable JsonNode max,
            @Nullable String pattern,
            boolean prefixSearch) {

        static Options of(Attribute attribute) {
            return new Options(
                    attribute.required(),
                    attribute.initial(),
                    attribute.options(),
                    attribute.min(),
                    attribute.max(),
                    attribute.pattern(),
                    attribute.prefixSearch());
        }
    }

    private record Row(
            short id,
            String name,
            List<String> aliases,
            int version,
            @Nullable String rules,
            List<Attribute> attributes) {}

    Optional<Schema> find(Reads reads, Tables tables, String name) {
        return read(
                        reads,
                        tables,
                        "s.schema_id = (SELECT schema_id FROM %s WHERE schema_name = :name)"
                                .formatted(tables.registry()),
                        name,
                        null)
                .stream()
                .findFirst();
    }

    Optional<Schema> find(Reads reads, Tables tables, short id) {
        return read(reads, tables, "s.schema_id = :id", null, id).stream().findFirst();
    }

    List<Schema> all(Reads reads, Tables tables) {
        return read(reads, tables, "true", null, null);
    }

    /** The version, which stays so until {@code tx} ends; 0 if the schema is not there. */
    int holdVersion(Tx tx, Tables tables, short id) {
        return tx.query("SELECT version FROM %s WHERE schema_id = :id FOR SHARE".formatted(tables.schemas()))
                .bind("id", id)
                .mapTo(Integer.class)
                .findOne()
                .orElse(0);
    }

    private List<Schema> read(Reads reads, Tables tables, String which, @Nullable String name, @Nullable Short id) {
        var query = reads.query("""
                SELECT s.schema_id, s.version, s.rules,
                       (SELECT r.schema_name FROM %2$s AS r WHERE r.schema_id = s.schema_id AND NOT r.alias) AS schema_name,
                       ARRAY(SELECT r.schema_name FROM %2$s AS r WHERE r.schema_id = s.schema_id AND r.alias
                             ORDER BY r.schema_name) AS aliases,
                       a.attr_id, a.attr_name, a.value_type, a.is_unique, a.target_schema, a.options
                FROM %1$s AS s
                LEFT JOIN %3$s AS a ON a.schema_id = s.schema_id
                WHERE %4$s
                ORDER BY s.schema_id, a.attr_id / 5
                """.formatted(tables.schemas(), tables.registry(), tables.attributes(), which));
        if (name != null) {
            query.bind("name", name);
        }
        if (id != null) {
            query.bind("id", id);
        }
        var rows = new ArrayList<Row>();
        query.map((row, ctx) -> {
                    if (rows.isEmpty() || rows.getLast().id() != row.getShort("schema_id")) {
                        rows.add(new Row(
                                row.getShort("schema_id"),
                                row.getString("schema_name"),
                                List.of((String[]) row.getArray("aliases").getArray()),
                                row.getInt("version"),
                                row.getString("rules"),
                                new ArrayList<>()));
                    }
                    if (row.getString("attr_name") != null) {
                        rows.getLast().attributes().add(attribute(row));
                    }
                    return true;
                })
                .list();
        return rows.stream().map(SchemaStore::schema).toList();
    }

    private static Schema schema(Row row) {
        return new Schema(row.id(), row.name(), row.aliases(), row.version(), row.attributes(), rules(row.rules()));
    }

    private static Rules rules(@Nullable String json) {
        return json == null || json.equals("{}") ? Rules.NONE : Json.mapper().readValue(json, Rules.class);
    }

    private static Attribute attribute(ResultSet row) throws SQLException {
        var options = Json.mapper().readValue(row.getString("options"), Options.class);
        short target = row.getShort("target_schema");
        boolean refers = !row.wasNull();
        return new Attribute(
                row.getShort("attr_id"),
                row.getString("attr_name"),
                ValueType.named(row.getString("value_type")).orElseThrow(),
                options.required(),
                row.getBoolean("is_unique"),
                options.initial(),
                options.options() == null ? List.of() : options.options(),
                options.min(),
                options.max(),
                options.pattern(),
                options.prefixSearch(),
                refers ? (Short) target : null);
    }
}
