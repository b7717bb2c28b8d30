package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.AuditEntry;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of audit_log. */
final class AuditStore {

    void insert(Tx tx, AuditEntry entry) {
        var actor = entry.actor();
        var subject = entry.subject();
        tx.update("""
                        INSERT INTO accounts.audit_log (id, actor_id, action, subject_id, detail)
                        VALUES (:id, :actor, :action, :subject, :detail)
                        """)
                .bind("id", entry.id())
                .bind("actor", actor == null ? null : actor.value())
                .bind("action", entry.action().code())
                .bind("subject", subject == null ? null : subject.value())
                .bind("detail", entry.detail())
                .execute();
    }

    List<AuditEntry> list(Reads reads, long before, int limit) {
        return reads.query("""
                SELECT id, actor_id, action, subject_id, detail
                FROM accounts.audit_log
                WHERE id < :before
                ORDER BY id DESC
                LIMIT :limit
                """)
                .bind("before", before)
                .bind("limit", limit)
                .map(AuditStore::entry)
                .list();
    }

    private static AuditEntry entry(ResultSet row) throws SQLException {
        return new AuditEntry(
                row.getLong("id"),
                user(row, "actor_id"),
                AuditLog.Action.of(row.getString("action")),
                user(row, "subject_id"),
                row.getString("detail"));
    }

    private static @Nullable UserId user(ResultSet row, String column) throws SQLException {
        long id = row.getLong(column);
        return row.wasNull() ? null : new UserId(id);
    }
}
