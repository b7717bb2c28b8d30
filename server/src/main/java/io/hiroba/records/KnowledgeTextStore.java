package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;

/** Reads and writes the choices of schemas whose records are found in knowledge, and reads such records. */
final class KnowledgeTextStore {

    /**
     * A choice.
     *
     * @param attributes the ids of the attributes in the texts, in their order
     */
    record ChoiceRow(short schema, List<Short> attributes, Instant createdAt) {

        ChoiceRow {
            attributes = List.copyOf(attributes);
        }

        ChoiceRow(short schema, Collection<SchemaAttribute> attributes, Instant createdAt) {
            this(schema, attributes.stream().map(SchemaAttribute::id).toList(), createdAt);
        }

        /** Those that {@code current} still has. */
        List<SchemaAttribute> attributesOf(Schema current) {
            return attributes.stream()
                    .flatMap(id -> current.attributes().stream().filter(each -> each.id() == id))
                    .toList();
        }
    }

    /** A choice and the project that it is of. */
    record ProjectChoice(Project project, ChoiceRow choice) {}

    /** The document of a record. */
    record TextRow(RowId id, ArrayNode document) {}

    /** Locks writers of records of the project out until {@code tx} ends. */
    void choose(Tx tx, long id, ProjectTables tables, ChoiceRow choice) {
        tx.query("SELECT CAST(records.choose_texts(:id, :project, :suffix, :schema, :attributes, :at) AS text)")
                .bind("id", id)
                .bind("project", tables.project().value())
                .bind("suffix", tables.suffix())
                .bind("schema", choice.schema())
                .bindArray("attributes", Short.class, choice.attributes().toArray())
                .bind("at", choice.createdAt())
                .mapTo(String.class)
                .list();
    }

    void delete(Tx tx, ProjectId project, short schema) {
        tx.update("DELETE FROM records.knowledge_texts WHERE project_id = :project AND schema_id = :schema")
                .bind("project", project.value())
                .bind("schema", schema)
                .execute();
    }

    Optional<ChoiceRow> find(Reads reads, ProjectId project, short schema) {
        return reads.query("""
                SELECT schema_id, attributes, created_at FROM records.knowledge_texts
                WHERE project_id = :project AND schema_id = :schema
                """)
                .bind("project", project.value())
                .bind("schema", schema)
                .map(row -> choice(row))
                .findOne();
    }

    Optional<ProjectChoice> find(Reads reads, long id) {
        return reads.query("""
                SELECT t.schema_id, t.attributes, t.created_at, p.id, p.client_id, p.name, p.auto_index
                FROM records.knowledge_texts AS t
                JOIN records.projects AS p ON p.id = t.project_id
                WHERE t.id = :id
                """)
                .bind("id", id)
                .map(row -> new ProjectChoice(
                        new Project(
                                new ProjectId(row.getLong("id")),
                                new UserId(row.getLong("client_id")),
                                row.getString("name"),
                                row.getBoolean("auto_index")),
                        choice(row)))
                .findOne();
    }

    private static ChoiceRow choice(ResultSet row) throws SQLException {
        var ids = Stream.of((Object[]) row.getArray("attributes").getArray());
        return new ChoiceRow(
                row.getShort("schema_id"),
                ids.map(id -> ((Number) id).shortValue()).toList(),
                Columns.instant(row, "created_at"));
    }

    /** The records of a schema after {@code after}, by their ids. */
    List<TextRow> after(Reads reads, ProjectTables tables, short schema, UUID after, int limit) {
        return reads.query("""
                SELECT row_id, doc FROM %s
                WHERE schema_id = :schema AND row_id > :after
                ORDER BY row_id
                LIMIT :limit
                """.formatted(tables.records()))
                .bind("schema", schema)
                .bind("after", after)
                .bind("limit", limit)
                .map(KnowledgeTextStore::text)
                .list();
    }

    /** Those of the records that are there. */
    List<TextRow> find(Reads reads, ProjectTables tables, short schema, Collection<UUID> rows) {
        return reads.query("SELECT row_id, doc FROM %s WHERE schema_id = :schema AND row_id = ANY (:rows)"
                        .formatted(tables.records()))
                .bind("schema", schema)
                .bindArray("rows", UUID.class, rows.toArray())
                .map(KnowledgeTextStore::text)
                .list();
    }

    private static TextRow text(ResultSet row) throws SQLException {
        return new TextRow(new RowId(row.getObject("row_id", UUID.class)), Documents.read(row.getString("doc")));
    }
}
