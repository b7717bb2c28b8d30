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

/** Reads and writes dashboards. */
final class DashboardStore {

    private static final String COLUMNS = "id, project_id, owner, name, panels, version, updated_at";

    void insert(Tx tx, Dashboard dashboard) {
        tx.update("""
                INSERT INTO records.dashboards (id, project_id, owner, name, panels, version, updated_at)
                VALUES (:id, :project, :owner, :name, CAST(:panels AS jsonb), :version, :at)
                """)
                .bind("id", dashboard.id().value())
                .bind("project", dashboard.project().value())
                .bind("owner", dashboard.owner().value())
                .bind("name", dashboard.name())
                .bind("panels", Json.exact().writeValueAsString(dashboard.panels()))
                .bind("version", dashboard.version())
                .bind("at", dashboard.updatedAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    void update(Tx tx, Dashboard dashboard) {
        tx.update("""
                UPDATE records.dashboards
                SET name = :name, panels = CAST(:panels AS jsonb), version = :version, updated_at = :at
                WHERE id = :id
                """)
                .bind("id", dashboard.id().value())
                .bind("name", dashboard.name())
                .bind("panels", Json.exact().writeValueAsString(dashboard.panels()))
                .bind("version", dashboard.version())
                .bind("at", dashboard.updatedAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    void delete(Tx tx, DashboardId id) {
        tx.update("DELETE FROM records.dashboards WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    Optional<Dashboard> find(Reads reads, ProjectId project, DashboardId id) {
        return reads.query(
                        "SELECT %s FROM records.dashboards WHERE id = :id AND project_id = :project".formatted(COLUMNS))
                .bind("id", id.value())
                .bind("project", project.value())
                .map(DashboardStore::dashboard)
                .findOne();
    }

    /** Locks a dashboard until {@code tx} ends. */
    Optional<Dashboard> lock(Tx tx, ProjectId project, DashboardId id) {
        return tx.query("SELECT %s FROM records.dashboards WHERE id = :id AND project_id = :project FOR UPDATE"
                        .formatted(COLUMNS))
                .bind("id", id.value())
                .bind("project", project.value())
                .map(DashboardStore::dashboard)
                .findOne();
    }

    /** The oldest first. */
    List<Dashboard> list(Reads reads, ProjectId project, long after, int limit) {
        return reads.query("""
                SELECT %s FROM records.dashboards
                WHERE project_id = :project AND id > :after
                ORDER BY id LIMIT :limit
                """.formatted(COLUMNS))
                .bind("project", project.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(DashboardStore::dashboard)
                .list();
    }

    /** The project gets no other dashboard until {@code tx} ends. */
    void lockCreation(Tx tx, ProjectId project) {
        tx.lock("records.dashboards", project.hex());
    }

    int count(Reads reads, ProjectId project) {
        return reads.query("SELECT count(*) FROM records.dashboards WHERE project_id = :project")
                .bind("project", project.value())
                .mapTo(Integer.class)
                .one();
    }

    private static Dashboard dashboard(ResultSet row) throws SQLException {
        return new Dashboard(
                new DashboardId(row.getLong("id")),
                new ProjectId(row.getLong("project_id")),
                new UserId(row.getLong("owner")),
                row.getString("name"),
                List.of(Json.exact().readValue(row.getString("panels"), Dashboard.Panel[].class)),
                row.getInt("version"),
                Columns.instant(row, "updated_at"));
    }
}
