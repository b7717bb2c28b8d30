package io.hiroba.records.views;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.ProjectId;
import io.hiroba.records.views.ViewLinks.Link;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Reads and writes the links of views. */
final class ViewLinkStore {

    void insert(Tx tx, ProjectId project, Link link, byte[] hash) {
        tx.update("""
                INSERT INTO records.view_links (id, view_id, project_id, sharer, token_hash, expires_at)
                VALUES (:id, :view, :project, :sharer, :hash, :expires)
                """)
                .bind("id", link.id().value())
                .bind("view", link.view().value())
                .bind("project", project.value())
                .bind("sharer", link.sharer().value())
                .bind("hash", hash)
                .bind("expires", link.expiresAt().atOffset(ZoneOffset.UTC))
                .execute();
    }

    /** The links of a view that have not expired, the oldest first. */
    List<Link> list(Reads reads, ViewId view, Instant now) {
        return reads.query("""
                SELECT id, view_id, sharer, expires_at FROM records.view_links
                WHERE view_id = :view AND expires_at > :now
                ORDER BY id
                """)
                .bind("view", view.value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> link(row))
                .list();
    }

    void deleteExpired(Tx tx, ViewId view, Instant now) {
        tx.update("DELETE FROM records.view_links WHERE view_id = :view AND expires_at <= :now")
                .bind("view", view.value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .execute();
    }

    /** Whether a link of the view lends the rights of somebody else than {@code user}. */
    boolean isSharedByOthers(Reads reads, ViewId view, UserId user, Instant now) {
        return reads.query("""
                SELECT EXISTS (
                    SELECT FROM records.view_links WHERE view_id = :view AND sharer <> :user AND expires_at > :now)
                """)
                .bind("view", view.value())
                .bind("user", user.value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .mapTo(Boolean.class)
                .one();
    }

    boolean delete(Tx tx, Link link) {
        return tx.update("DELETE FROM records.view_links WHERE id = :id")
                        .bind("id", link.id().value())
                        .execute()
                > 0;
    }

    /** A link with what it leads to. */
    record Shared(Link link, ProjectId project, short schema) {}

    Optional<Shared> find(Reads reads, byte[] hash, Instant now) {
        return reads.query("""
                SELECT l.id, l.view_id, l.sharer, l.expires_at, v.project_id, v.schema_id
                FROM records.view_links l
                JOIN records.views v ON v.id = l.view_id
                WHERE l.token_hash = :hash AND l.expires_at > :now
                """)
                .bind("hash", hash)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> new Shared(link(row), new ProjectId(row.getLong("project_id")), row.getShort("schema_id")))
                .findOne();
    }

    private static Link link(ResultSet row) throws SQLException {
        return new Link(
                new ViewId(row.getLong("id")),
                new ViewId(row.getLong("view_id")),
                new UserId(row.getLong("sharer")),
                Columns.instant(row, "expires_at"));
    }
}
