package io.hiroba.bench.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import java.sql.SQLException;

/**
 * The items of the benchmark: one user with 10,000 to do and 200,000 done, and {@value #OTHERS} with {@value #ITEMS} each to
 * do. The same items are copied to one denormalized table.
 */
final class InboxData {

    static final int OTHERS = 1_000;
    static final int ITEMS = 200;
    static final long NAMESPACE = 1001;

    private static final int TODO = 10_000;
    private static final int DONE = 200_000;
    private static final int ISSUES = TODO + DONE;

    private final Db db;

    InboxData(Db db) {
        this.db = db;
    }

    /** The user with many items. */
    static UserId busy() {
        return person(0);
    }

    static UserId person(int n) {
        return new UserId((1_700_000_000_000L + n * 1000L) << 20);
    }

    void fill() {
        System.err.printf("· filling %,d items%n", ISSUES + OTHERS * ITEMS);
        db.useTransaction(tx -> {
            tx.update("""
                            INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                            SELECT (1700000000000 + n * 1000) << 20, 'u' || n || '@example.org', 'user ' || n, 'x', false, '[]'
                            FROM generate_series(0::bigint, :others) n
                            """).bind("others", OTHERS).execute();
            tx.update("INSERT INTO accounts.user_details (user_id, introduction) SELECT id, '' FROM accounts.users")
                    .execute();
            tx.update("""
                            INSERT INTO inbox.namespaces (id, connection_id, path, name)
                            SELECT :first + n, 2, 'group/project-' || n, 'project-' || n FROM generate_series(0, 99) n
                            """).bind("first", NAMESPACE).execute();
            tx.update("""
                            INSERT INTO inbox.resources
                                (id, type, connection_id, namespace_id, external_id, title, url, state,
                                 work_item_type, changed_at)
                            SELECT n, 1, 2, :first + n % 100, 'issue ' || n, 'What is to be done about number ' || n,
                                   'https://example.org/group/project/issues/' || n, 'opened', 'issue', now()
                            FROM generate_series(1, :issues) n
                            """).bind("first", NAMESPACE).bind("issues", ISSUES).execute();
            tx.update("INSERT INTO inbox.issues (id, iid) SELECT id, id FROM inbox.resources")
                    .execute();
            insert(tx, "0", 0, ISSUES, DONE);
            insert(tx, "1 + k / " + ITEMS, 1, OTHERS * ITEMS, 0);
            tx.update("""
                            INSERT INTO inbox.tallies (user_id, state, action, resource_type, items, unread, saved)
                            SELECT user_id, state, action, resource_type, count(*), count(*), 0
                            FROM inbox.notifications
                            GROUP BY user_id, state, action, resource_type
                            """).execute();
        });
        oneTable();
    }

    /** Inserts items of one user or many; {@code offset} keeps the ids of different calls distinct. */
    private static void insert(Tx tx, String person, int offset, int items, int done) {
        // Triggers are off: they would take minutes.
        tx.update("SET LOCAL session_replication_role = replica").execute();
        tx.update("""
                        WITH made AS (
                            INSERT INTO inbox.notifications
                                (id, user_id, created_at, updated_at, namespace_id, author_id, action, resource_type,
                                 resource_id, happened_at, state, resolved_by_action, resolved_at)
                            SELECT (1710000000000 + k * 1000 + :offset) << 20,
                                   (1700000000000 + (%s)::bigint * 1000) << 20,
                                   at, at, :first + r %% 100, (1700000000000 + (1 + k %% 50) * 1000) << 20,
                                   1 + (k %% 2) * 8, 1, r, at,
                                   CASE WHEN k < :done THEN 2 ELSE 0 END, CASE WHEN k < :done THEN 2 END,
                                   CASE WHEN k < :done THEN at END
                            FROM generate_series(0::bigint, :items - 1) k
                            CROSS JOIN LATERAL (
                                SELECT 1 + k %% :issues AS r, timestamptz '2026-01-01Z' + k * interval '1 minute' AS at) v
                            RETURNING id, user_id, resource_id, namespace_id
                        )
                        INSERT INTO inbox.issue_notifications (notification_id, user_id, resource_id, namespace_id)
                        SELECT id, user_id, resource_id, namespace_id FROM made
                        """.formatted(person))
                .bind("offset", offset)
                .bind("first", NAMESPACE)
                .bind("items", items)
                .bind("done", done)
                .bind("issues", ISSUES)
                .execute();
    }

    private void oneTable() {
        db.useTransaction(tx -> {
            tx.update("""
                            CREATE TABLE public.one_table AS
                            SELECT n.id, n.user_id, n.state, n.recommended_at, n.action, n.read, n.saved, n.snoozed_until,
                                   n.resolved_by_action, n.created_at, n.updated_at, n.resource_id, r.title, r.url,
                                   r.state AS resource_state, n.namespace_id, s.path, n.author_id, u.nickname
                            FROM inbox.notifications n
                            JOIN inbox.resources r ON r.id = n.resource_id
                            JOIN inbox.namespaces s ON s.id = n.namespace_id
                            JOIN accounts.users u ON u.id = n.author_id
                            ORDER BY n.id
                            """).execute();
            tx.update("ALTER TABLE public.one_table ADD PRIMARY KEY (id)").execute();
            tx.update("CREATE INDEX ON public.one_table (user_id, state, recommended_at, id)")
                    .execute();
            tx.update("CREATE UNIQUE INDEX ON public.one_table (user_id, resource_id, action) WHERE state < 2")
                    .execute();
        });
        vacuum();
    }

    void vacuum() {
        try (var connection = db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("VACUUM ANALYZE");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
