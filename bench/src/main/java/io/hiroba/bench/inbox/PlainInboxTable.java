package io.hiroba.bench.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The baseline: one table of items without partitions, links or tallies, queried by plain JDBC with the shortest statements.
 * Resources are joined, since titles change, or denormalized into each row, which a real table could not keep up to date.
 */
final class PlainInboxTable {

    private final Db db;

    PlainInboxTable(Db db) {
        this.db = db;
    }

    /** The columns of a page. */
    record Row(
            long id,
            int action,
            boolean read,
            boolean saved,
            @Nullable OffsetDateTime snoozedUntil,
            @Nullable Integer resolvedBy,
            OffsetDateTime createdAt,
            OffsetDateTime updatedAt,
            long resource,
            String title,
            String url,
            String state,
            long namespace,
            String path,
            long author,
            String nickname) {}

    private static final String WIDE = """
            SELECT id, action, read, saved, snoozed_until, resolved_by_action, created_at, updated_at,
                   resource_id, title, url, resource_state, namespace_id, path, author_id, nickname
            FROM public.one_table
            WHERE user_id = ? AND state = ? AND (recommended_at, id) < (?, ?)
            ORDER BY recommended_at DESC, id DESC
            LIMIT ?
            """;

    private static final String JOINED = """
            SELECT n.id, n.action, n.read, n.saved, n.snoozed_until, n.resolved_by_action, n.created_at, n.updated_at,
                   n.resource_id, r.title, r.url, r.state, n.namespace_id, s.path, n.author_id, u.nickname
            FROM (SELECT id, action, read, saved, snoozed_until, resolved_by_action, created_at, updated_at, resource_id,
                         namespace_id, author_id, recommended_at
                  FROM public.one_table
                  WHERE user_id = ? AND state = ? AND (recommended_at, id) < (?, ?)
                  ORDER BY recommended_at DESC, id DESC
                  LIMIT ?) n
            JOIN inbox.resources r ON r.id = n.resource_id
            JOIN inbox.namespaces s ON s.id = n.namespace_id
            LEFT JOIN accounts.users u ON u.id = n.author_id
            ORDER BY n.recommended_at DESC, n.id DESC
            """;

    /** A page with joined resources. */
    List<Row> page(UserId user, int state, Instant before, int limit) {
        return page(JOINED, user, state, before, limit);
    }

    /** A page of denormalized rows. */
    List<Row> widePage(UserId user, int state, Instant before, int limit) {
        return page(WIDE, user, state, before, limit);
    }

    private List<Row> page(String sql, UserId user, int state, Instant before, int limit) {
        try (var connection = db.dataSource().getConnection();
                var query = connection.prepareStatement(sql)) {
            query.setLong(1, user.value());
            query.setInt(2, state);
            query.setObject(3, before.atOffset(ZoneOffset.UTC));
            query.setLong(4, Long.MAX_VALUE);
            query.setInt(5, limit);
            var page = new ArrayList<Row>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    page.add(row(rows));
                }
            }
            return page;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getLong(1),
                row.getInt(2),
                row.getBoolean(3),
                row.getBoolean(4),
                row.getObject(5, OffsetDateTime.class),
                row.getObject(6, Integer.class),
                row.getObject(7, OffsetDateTime.class),
                row.getObject(8, OffsetDateTime.class),
                row.getLong(9),
                row.getString(10),
                row.getString(11),
                row.getString(12),
                row.getLong(13),
                row.getString(14),
                row.getLong(15),
                row.getString(16));
    }

    /** Counts the items by state. */
    long counted(UserId user) {
        try (var connection = db.dataSource().getConnection();
                var query = connection.prepareStatement(
                        "SELECT state, count(*) FROM public.one_table WHERE user_id = ? GROUP BY state")) {
            query.setLong(1, user.value());
            long all = 0;
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    all += rows.getLong(2);
                }
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts a row for each user in one statement. */
    void insert(long firstId, List<UserId> users, long resource) {
        try (var connection = db.dataSource().getConnection();
                var insert = connection.prepareStatement("""
                        INSERT INTO public.one_table
                            (id, user_id, state, recommended_at, action, read, saved, created_at, updated_at,
                             resource_id, title, url, resource_state, namespace_id, path, author_id, nickname)
                        SELECT ? + n, u, 0, now(), 1, FALSE, FALSE, now(), now(),
                               ?, 'What is to be done', 'https://example.org/group/project/issues/1', 'opened', 1001,
                               'group/project-1', ?, 'somebody'
                        FROM unnest(?) WITH ORDINALITY AS t (u, n)
                        ON CONFLICT (user_id, resource_id, action) WHERE state < 2 DO NOTHING
                        """)) {
            insert.setLong(1, firstId);
            insert.setLong(2, resource);
            insert.setLong(3, InboxData.busy().value());
            insert.setArray(
                    4,
                    connection.createArrayOf(
                            "bigint", users.stream().map(UserId::value).toArray()));
            insert.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
