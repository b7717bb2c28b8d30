package io.hiroba.records.views;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.records.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Reads and writes views. */
final class ViewStore {

    private static final String COLUMNS =
            "id, project_id, schema_id, owner, private_of, name, kind, definition, version, updated_at";

    void insert(Tx tx, ViewRow view) {
        tx.update("""
                INSERT INTO records.views
                    (id, project_id, schema_id, owner, private_of, name, kind, definition, version, updated_at)
                VALUES (:id, :project, :schema, :owner, :private, :name, :kind, CAST(:definition AS jsonb), :version, :at)
                """)
                .bind("id", view.id().value())
                .bind("project", view.project().value())
                .bind("schema", view.schema())
                .bind("owner", view.owner().value())
                .bind("private", view.shared() ? null : (Long) view.owner().value())
                .bind("name", view.name())
                .bind("kind", view.kind().label())
                .bind("definition", Json.exact().writeValueAsString(view.definition()))
                .bind("version", view.version())
                .bind("at", view.updatedAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    void update(Tx tx, ViewRow view) {
        tx.update("""
                UPDATE records.views
                SET owner = :owner, private_of = :private, name = :name, kind = :kind,
                    definition = CAST(:definition AS jsonb), version = :version, updated_at = :at
                WHERE id = :id
                """)
                .bind("id", view.id().value())
                .bind("owner", view.owner().value())
                .bind("private", view.shared() ? null : (Long) view.owner().value())
                .bind("name", view.name())
                .bind("kind", view.kind().label())
                .bind("definition", Json.exact().writeValueAsString(view.definition()))
                .bind("version", view.version())
                .bind("at", view.updatedAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    void delete(Tx tx, ViewId id) {
        tx.update("DELETE FROM records.views WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    /** A view that the user sees. */
    Optional<ViewRow> find(Reads reads, ProjectId project, short schema, UserId user, ViewId id) {
        return reads.query("""
                SELECT %s FROM records.views
                WHERE id = :id AND project_id = :project AND schema_id = :schema
                  AND (private_of IS NULL OR private_of = :user)
                """.formatted(COLUMNS))
                .bind("id", id.value())
                .bind("project", project.value())
                .bind("schema", schema)
                .bind("user", user.value())
                .map(row -> view(row))
                .findOne();
    }

    /** Locks a view until {@code tx} ends. */
    Optional<ViewRow> lock(Tx tx, ViewId id) {
        return tx.query("SELECT %s FROM records.views WHERE id = :id FOR UPDATE".formatted(COLUMNS))
                .bind("id", id.value())
                .map(row -> view(row))
                .findOne();
    }

    /** The views that the user sees, the oldest first. */
    List<ViewRow> list(Reads reads, ProjectId project, short schema, UserId user, long after, int limit) {
        return reads.query("""
                SELECT %1$s FROM (
                    (SELECT %1$s FROM records.views
                     WHERE project_id = :project AND schema_id = :schema AND private_of IS NULL AND id > :after
                     ORDER BY id LIMIT :limit)
                    UNION ALL
                    (SELECT %1$s FROM records.views
                     WHERE project_id = :project AND schema_id = :schema AND private_of = :user AND id > :after
                     ORDER BY id LIMIT :limit)
                ) AS seen
                ORDER BY id LIMIT :limit
                """.formatted(COLUMNS))
                .bind("project", project.value())
                .bind("schema", schema)
                .bind("user", user.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> view(row))
                .list();
    }

    /** The project gets no other view until {@code tx} ends. */
    void lockCreation(Tx tx, ProjectId project) {
        tx.lock("records.views", project.hex());
    }

    /** How many views of all, or of the user alone, a schema has. */
    int count(Reads reads, ProjectId project, short schema, UserId user, boolean shared) {
        return reads.query("""
                SELECT count(*) FROM records.views
                WHERE project_id = :project AND schema_id = :schema AND %s
                """.formatted(shared ? "private_of IS NULL" : "private_of = :user"))
                .bind("project", project.value())
                .bind("schema", schema)
                .bind("user", user.value())
                .mapTo(Integer.class)
                .one();
    }

    private static ViewRow view(ResultSet row) throws SQLException {
        row.getLong("private_of");
        boolean shared = row.wasNull();
        return new ViewRow(
                new ViewId(row.getLong("id")),
                new ProjectId(row.getLong("project_id")),
                row.getShort("schema_id"),
                new UserId(row.getLong("owner")),
                shared,
                row.getString("name"),
                ViewRow.Kind.named(row.getString("kind")).orElseThrow(),
                Json.exact().readValue(row.getString("definition"), ViewDefinition.class),
                row.getInt("version"),
                Columns.instant(row, "updated_at"));
    }
}
