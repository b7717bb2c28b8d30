package io.hiroba.records;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Writes changes of schemas that have records, and what holds their names. */
final class SchemaChangeStore {

    private static final short OF_SCHEMA = -1;

    /** Keeps a name that the schema, or one of its attributes, had until now. */
    void keepName(Tx tx, ProjectTables tables, short schema, Schema.Former former) {
        var attribute = former.attribute();
        tx.update("""
                INSERT INTO records.former_names (project_id, schema_id, attr_id, name, since, until)
                VALUES (:project, :schema, :attribute, :name, :since, :until)
                ON CONFLICT (project_id, schema_id, attr_id, name) DO UPDATE
                SET since = excluded.since, until = excluded.until
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("attribute", attribute == null ? OF_SCHEMA : attribute)
                .bind("name", former.name())
                .bind("since", RecordStore.time(former.since()))
                .bind("until", RecordStore.time(former.until()))
                .execute();
    }

    /** Gives up a former name of an attribute, whichever had it. */
    void dropAttributeName(Tx tx, ProjectTables tables, short schema, String name) {
        tx.update("""
                DELETE FROM records.former_names
                WHERE project_id = :project AND schema_id = :schema AND attr_id >= 0 AND name = :name
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("name", name)
                .execute();
    }

    /** Gives up a former name of a schema. */
    void dropSchemaName(Tx tx, ProjectTables tables, short schema, String name) {
        tx.update("""
                DELETE FROM records.former_names
                WHERE project_id = :project AND schema_id = :schema AND attr_id = -1 AND name = :name
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("name", name)
                .execute();
        tx.update("DELETE FROM %s WHERE schema_id = :schema AND schema_name = :name AND alias"
                        .formatted(tables.registry()))
                .bind("schema", schema)
                .bind("name", name)
                .execute();
    }

    /** The schema that had this name before, if it still leads there. */
    Optional<Short> formerlyNamed(Reads reads, ProjectTables tables, String name) {
        return reads.query("""
                SELECT f.schema_id FROM records.former_names AS f
                WHERE f.project_id = :project AND f.attr_id = -1 AND f.name = :name
                  AND NOT EXISTS (SELECT FROM records.removed_schemas AS d
                                  WHERE d.project_id = f.project_id AND d.schema_id = f.schema_id)
                """)
                .bind("project", tables.project().value())
                .bind("name", name)
                .mapTo(Short.class)
                .findOne();
    }

    /** The names that the schema had before. */
    List<String> formerNames(Reads reads, ProjectTables tables, short schema) {
        return reads.query("""
                SELECT name FROM records.former_names WHERE project_id = :project AND schema_id = :schema AND attr_id = -1
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .mapTo(String.class)
                .list();
    }

    void setTitle(Tx tx, ProjectTables tables, short schema, String title) {
        tx.update("UPDATE %s SET title = nullif(:title, '') WHERE schema_id = :schema".formatted(tables.schemas()))
                .bind("schema", schema)
                .bind("title", title)
                .execute();
    }

    /** Files that are imported into the schema name it. */
    void renameImports(Tx tx, ProjectTables tables, Schema before, String after) {
        tx.update("""
                UPDATE records.imports SET schema_name = :after
                WHERE project_id = :project AND (schema_id = :schema OR schema_id IS NULL AND schema_name = :before)
                """)
                .bind("schema", before.id())
                .bind("project", tables.project().value())
                .bind("before", before.name())
                .bind("after", after)
                .execute();
    }

    /** A saved query, or the definition of a view, with the schema that it is about. */
    record Saved(long id, short schema, ObjectNode query) {}

    /** The saved queries of the project, locked until {@code tx} ends. */
    List<Saved> savedQueries(Tx tx, ProjectTables tables) {
        return tx.query("""
                SELECT id, schema_id, query FROM records.saved_queries WHERE project_id = :project ORDER BY id FOR UPDATE
                """)
                .bind("project", tables.project().value())
                .map(row -> new Saved(row.getLong("id"), row.getShort("schema_id"), (ObjectNode)
                        Documents.exact().readTree(row.getString("query"))))
                .list();
    }

    /** Saved queries about the schema that name it go on under its new name. */
    void renameSavedQueries(Tx tx, ProjectTables tables, short schema, String before, String after) {
        tx.update("""
                UPDATE records.saved_queries SET query = jsonb_set(query, '{schema}', to_jsonb(CAST(:after AS text)))
                WHERE project_id = :project AND schema_id = :schema AND query ->> 'schema' = :before
                """)
                .bind("project", tables.project().value())
                .bind("schema", schema)
                .bind("before", before)
                .bind("after", after)
                .execute();
    }

    void putSavedQuery(Tx tx, Saved saved) {
        tx.update("UPDATE records.saved_queries SET query = CAST(:query AS jsonb) WHERE id = :id")
                .bind("id", saved.id())
                .bind("query", saved.query().toString())
                .execute();
    }

    /** The definitions of the views of the project, locked until {@code tx} ends. */
    List<Saved> views(Tx tx, ProjectTables tables) {
        return tx.query("""
                SELECT id, schema_id, definition FROM records.views WHERE project_id = :project ORDER BY id FOR UPDATE
                """)
                .bind("project", tables.project().value())
                .map(row -> new Saved(row.getLong("id"), row.getShort("schema_id"), (ObjectNode)
                        Documents.exact().readTree(row.getString("definition"))))
                .list();
    }

    void putView(Tx tx, Saved view) {
        tx.update(
                        "UPDATE records.views SET definition = CAST(:definition AS jsonb), version = version + 1 WHERE id = :id")
                .bind("id", view.id())
                .bind("definition", view.query().toString())
                .execute();
    }

    /** Keeps what else is changed of an attribute when its values are converted. */
    void keepForLater(Tx tx, long retype, @Nullable AttributeChange more) {
        if (more != null) {
            tx.update("UPDATE records.retypes SET more = CAST(:more AS jsonb) WHERE id = :id")
                    .bind("id", retype)
                    .bind("more", Documents.exact().writeValueAsString(more))
                    .execute();
        }
    }

    Optional<AttributeChange> keptForLater(Reads reads, long retype) {
        return reads.query("SELECT more FROM records.retypes WHERE id = :id AND more IS NOT NULL")
                .bind("id", retype)
                .map(row -> Documents.exact().readValue(row.getString("more"), AttributeChange.class))
                .findOne();
    }

    /** A project with former names whose time is over. */
    List<ProjectId> withExpiredNames(Reads reads, Instant now) {
        return reads.query("SELECT DISTINCT project_id FROM records.former_names WHERE until <= :now LIMIT 100")
                .bind("now", RecordStore.time(now))
                .map(row -> new ProjectId(row.getLong("project_id")))
                .list();
    }

    /** Deletes the former names whose time is over, and returns the schemas that lost one. */
    List<Short> dropExpiredNames(Tx tx, ProjectTables tables, Instant now) {
        return tx.query("""
                WITH gone AS (
                    DELETE FROM records.former_names WHERE project_id = :project AND until <= :now
                    RETURNING schema_id, attr_id, name),
                unnamed AS (
                    DELETE FROM %s AS r USING gone
                    WHERE gone.attr_id = -1 AND r.schema_id = gone.schema_id AND r.schema_name = gone.name AND r.alias)
                SELECT DISTINCT schema_id FROM gone ORDER BY schema_id
                """.formatted(tables.registry()))
                .bind("project", tables.project().value())
                .bind("now", RecordStore.time(now))
                .mapTo(Short.class)
                .list();
    }
}
