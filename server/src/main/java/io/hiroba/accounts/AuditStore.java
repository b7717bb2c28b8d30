package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Changes.FieldChange;
import io.hiroba.accounts.AuditLog.Person;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows of audit_log. */
final class AuditStore {

    static final int MAX_TARGET_ID = 255;
    static final int MAX_ADDRESS = 50;

    private static final int MAX_NAME = 200;

    /** An entry to write. */
    record NewEntry(
            @Nullable UserId actor,
            @Nullable UserId actingAs,
            Caller.@Nullable Via via,
            Caller.Origin origin,
            Action action,
            Target target,
            Changes changes) {

        static NewEntry of(@Nullable UserId actor, Action action, Target target) {
            return new NewEntry(actor, null, null, Caller.Origin.UNKNOWN, action, target, Changes.NONE);
        }

        static NewEntry of(Caller caller, Action action, Target target, Changes changes) {
            var user = caller.acting() ? caller.user() : null;
            return new NewEntry(caller.actor(), user, caller.via(), caller.origin(), action, target, changes);
        }
    }

    /** Writes the entry and returns its id. */
    long insert(Tx tx, NewEntry entry) {
        var target = entry.target();
        var kind = target.kind();
        var origin = entry.origin();
        return tx.query("""
                INSERT INTO accounts.audit_log (
                    actor_id, acting_as_id, via, via_id, address, agent, request_id, action, subject_id, target_kind,
                    target_id, detail, old_values, new_values)
                VALUES (
                    :actor, :actingAs, :via, :viaId, :address, :agent, :request, :action, :subject, :kind,
                    :target, :detail, :before::jsonb, :after::jsonb)
                RETURNING id
                """)
                .bind("actor", id(entry.actor()))
                .bind("actingAs", id(entry.actingAs()))
                .bind("via", via(entry))
                .bind("viaId", viaId(entry))
                .bind("address", storable(orNull(origin.address()), MAX_ADDRESS))
                .bind("agent", orNull(origin.agent()))
                .bind("request", orNull(origin.requestId()))
                .bind("action", entry.action().code())
                .bind("subject", id(target.subject()))
                .bind("kind", kind == null ? null : kind.code())
                .bind("target", storable(target.id(), MAX_TARGET_ID))
                .bind("detail", storable(target.name(), MAX_NAME))
                .bind("before", json(entry, FieldChange::before))
                .bind("after", json(entry, FieldChange::after))
                .mapTo(Long.class)
                .one();
    }

    /** Whether the same was recorded of the same actor within ten minutes. */
    boolean isRecent(Reads reads, NewEntry entry) {
        var target = entry.target();
        return reads.query("""
                SELECT EXISTS (
                    SELECT FROM accounts.audit_log
                    WHERE actor_id = :actor AND action = :action AND target_id IS NOT DISTINCT FROM :target
                        AND subject_id IS NOT DISTINCT FROM :subject
                        AND id > (extract(epoch FROM now() - INTERVAL '10 minutes') * 1000)::BIGINT << 20)
                """)
                .bind("target", storable(target.id(), MAX_TARGET_ID))
                .bind("subject", id(target.subject()))
                .bind("action", entry.action().code())
                .bind("actor", id(entry.actor()))
                .mapTo(Boolean.class)
                .one();
    }

    void blank(Tx tx, UserId user) {
        tx.update("""
                        UPDATE accounts.audit_log
                        SET detail = NULL, old_values = NULL, new_values = NULL
                        WHERE subject_id = :user
                            AND (detail IS NOT NULL OR old_values IS NOT NULL OR new_values IS NOT NULL)
                        """).bind("user", user.value()).execute();
    }

    int deleteOld(Tx tx, Instant before, int limit) {
        return tx.update("""
                        DELETE FROM accounts.audit_log
                        WHERE id IN (
                            SELECT id FROM accounts.audit_log
                            WHERE id < :before
                            ORDER BY id
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED)
                        """)
                .bind("before", Ids.lowestAt(before))
                .bind("limit", limit)
                .execute();
    }

    List<AuditEntry> list(Reads reads, AuditFilter filter, long before, int limit) {
        return query(reads, sql(filter), filter, before, limit)
                .map(AuditStore::entry)
                .list();
    }

    /**
     * The page comes from a range of one index, that of the first filter given in the order below; the others are applied to
     * that range. With an equality, PostgreSQL might go along the ids instead where it takes the value for a common one.
     */
    static String sql(AuditFilter filter) {
        String column = null;
        var conditions = new StringBuilder();
        for (var each : List.of(
                new Condition("target_id", ":target", filter.target()),
                new Condition("subject_id", ":subject", filter.subject()),
                new Condition("actor_id", ":actor", filter.actor()),
                new Condition("address", ":address", filter.address()),
                new Condition("action", ":action", filter.action()),
                new Condition("target_kind", ":kind", filter.kind()))) {
            if (each.value() == null) {
                continue;
            }
            if (column == null) {
                column = each.column();
                conditions.append("(%1$s, id) < (%2$s, :before) AND (%1$s, id) >= (%2$s, :from)"
                        .formatted(each.column(), each.parameter()));
            } else {
                conditions.append(" AND %s = %s".formatted(each.column(), each.parameter()));
            }
        }
        return """
                SELECT l.id, l.action, l.actor_id, actor.nickname AS actor, l.acting_as_id, acting_as.nickname AS acting_as,
                       l.subject_id, subject.nickname AS subject, l.via, l.via_id, l.address, l.agent, l.request_id,
                       l.target_kind, l.target_id, l.detail, l.old_values::text AS old_values,
                       l.new_values::text AS new_values
                FROM (
                    SELECT id, action, actor_id, acting_as_id, subject_id, via, via_id, address, agent, request_id,
                           target_kind, target_id, detail, old_values, new_values
                    FROM accounts.audit_log
                    WHERE %s
                    ORDER BY %sid DESC
                    LIMIT :limit) AS l
                LEFT JOIN accounts.users AS actor ON actor.id = l.actor_id
                LEFT JOIN accounts.users AS acting_as ON acting_as.id = l.acting_as_id
                LEFT JOIN accounts.users AS subject ON subject.id = l.subject_id
                ORDER BY l.id DESC
                """.formatted(
                column == null ? "id < :before AND id >= :from" : conditions, column == null ? "" : column + " DESC, ");
    }

    private record Condition(
            String column, String parameter, @Nullable Object value) {}

    /** The bound statement; also for tests of its plan. */
    static Query query(Reads reads, String sql, AuditFilter filter, long before, int limit) {
        var action = filter.action();
        var kind = filter.kind();
        return reads.query(sql)
                .bind("target", filter.target())
                .bind("subject", id(filter.subject()))
                .bind("actor", id(filter.actor()))
                .bind("address", filter.address())
                .bind("action", action == null ? null : action.code())
                .bind("kind", kind == null ? null : kind.code())
                .bind("before", Math.min(before, Ids.lowestAt(filter.to())))
                .bind("from", Ids.lowestAt(filter.from()))
                .bind("limit", limit);
    }

    private static @Nullable String via(NewEntry entry) {
        return switch (entry.via()) {
            case null -> null;
            case Caller.BySession _ -> "session";
            case Caller.ByToken _ -> entry.origin().grpc() ? "grpc" : "token";
            case Caller.ByServer _ -> "server";
        };
    }

    private static @Nullable Long viaId(NewEntry entry) {
        return switch (entry.via()) {
            case Caller.BySession session -> session.id().value();
            case Caller.ByToken token -> token.id().value();
            case Caller.ByServer _ -> null;
            case null -> null;
        };
    }

    private static @Nullable String json(NewEntry entry, Function<FieldChange, @Nullable Object> side) {
        var values = new LinkedHashMap<String, Object>();
        for (var field : entry.changes().fields()) {
            var value = side.apply(field);
            if (value != null) {
                values.put(field.name(), value);
            }
        }
        return values.isEmpty() ? null : Json.text(values);
    }

    /** The text as far as a column holds it; it counts characters as code points, of which there are no more than chars. */
    static @Nullable String storable(@Nullable String text, int max) {
        if (text == null) {
            return null;
        }
        var clean = text.replace('\0', ' ');
        if (clean.length() <= max) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(max - 2)) ? max - 2 : max - 1;
        return clean.substring(0, end) + "…";
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable Long id(@Nullable UserId user) {
        return user == null ? null : user.value();
    }

    private static AuditEntry entry(ResultSet row) throws SQLException {
        long viaId = row.getLong("via_id");
        return new AuditEntry(
                row.getLong("id"),
                row.getString("action"),
                person(row, "actor"),
                person(row, "acting_as"),
                person(row, "subject"),
                row.getString("via"),
                viaId == 0 ? null : viaId,
                row.getString("address"),
                row.getString("agent"),
                row.getString("request_id"),
                row.getString("target_kind"),
                row.getString("target_id"),
                row.getString("detail"),
                row.getString("old_values"),
                row.getString("new_values"));
    }

    private static @Nullable Person person(ResultSet row, String column) throws SQLException {
        long id = row.getLong(column + "_id");
        return row.wasNull() ? null : new Person(new UserId(id), row.getString(column));
    }
}
