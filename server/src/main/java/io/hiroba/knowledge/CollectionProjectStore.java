package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.SharedProjects.ProjectShare;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads and writes the projects with whose members collections are shared. */
final class CollectionProjectStore {

    /** Without those of projects that are gone. */
    List<ProjectShare> list(Reads reads, CollectionId id, long after, int limit) {
        return reads.query("""
                SELECT p.project_id, c.name, p.role
                FROM knowledge.collection_projects p
                JOIN records.project_card c ON c.id = p.project_id
                WHERE p.collection_id = :id AND p.project_id > :after
                ORDER BY p.project_id
                LIMIT :limit
                """)
                .bind("id", id.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> member(row))
                .list();
    }

    Optional<ProjectShare> find(Reads reads, CollectionId id, long project) {
        return reads.query("""
                SELECT p.project_id, c.name, p.role
                FROM knowledge.collection_projects p
                JOIN records.project_card c ON c.id = p.project_id
                WHERE p.collection_id = :id AND p.project_id = :project
                """)
                .bind("id", id.value())
                .bind("project", project)
                .map(row -> member(row))
                .findOne();
    }

    /** The projects of somebody with which the collection is not shared yet, by name; the role is none. */
    List<ProjectShare> choices(Reads reads, CollectionId id, UserId user, int limit) {
        return reads.query("""
                SELECT c.id AS project_id, c.name, CAST(NULL AS text) AS role
                FROM records.project_member m
                JOIN records.project_card c ON c.id = m.project_id
                WHERE m.user_id = :user
                  AND NOT EXISTS (SELECT FROM knowledge.collection_projects p
                                  WHERE p.collection_id = :id AND p.project_id = c.id)
                ORDER BY c.name, c.id
                LIMIT :limit
                """)
                .bind("id", id.value())
                .bind("user", user.value())
                .bind("limit", limit)
                .map(row -> member(row))
                .list();
    }

    boolean isMember(Reads reads, long project, UserId user) {
        return reads.query("""
                SELECT EXISTS (SELECT FROM records.project_member WHERE project_id = :project AND user_id = :user)
                """)
                .bind("project", project)
                .bind("user", user.value())
                .mapTo(Boolean.class)
                .one();
    }

    int count(Reads reads, CollectionId id) {
        return reads.query("SELECT count(*) FROM knowledge.collection_projects WHERE collection_id = :id")
                .bind("id", id.value())
                .mapTo(Integer.class)
                .one();
    }

    void put(Tx tx, CollectionId id, long project, Role role, Instant now) {
        tx.update("""
                INSERT INTO knowledge.collection_projects (collection_id, project_id, role, added_at)
                VALUES (:id, :project, :role, :now)
                ON CONFLICT (collection_id, project_id) DO UPDATE SET role = excluded.role
                """)
                .bind("id", id.value())
                .bind("project", project)
                .bind("role", role.text())
                .bind("now", now)
                .execute();
    }

    void remove(Tx tx, CollectionId id, long project) {
        tx.update("DELETE FROM knowledge.collection_projects WHERE collection_id = :id AND project_id = :project")
                .bind("id", id.value())
                .bind("project", project)
                .execute();
    }

    void removeAll(Tx tx, CollectionId id) {
        tx.update("DELETE FROM knowledge.collection_projects WHERE collection_id = :id")
                .bind("id", id.value())
                .execute();
    }

    /** Removes projects that were deleted meanwhile, which nobody is a member of. */
    void removeGone(Tx tx, CollectionId id) {
        tx.update("""
                DELETE FROM knowledge.collection_projects p
                WHERE p.collection_id = :id AND NOT EXISTS (SELECT FROM records.project_card c WHERE c.id = p.project_id)
                """).bind("id", id.value()).execute();
    }

    private static ProjectShare member(ResultSet row) throws SQLException {
        var role = Objects.requireNonNullElse(Role.of(row.getString("role")), Role.READER);
        return new ProjectShare(row.getLong("project_id"), row.getString("name"), role);
    }
}
