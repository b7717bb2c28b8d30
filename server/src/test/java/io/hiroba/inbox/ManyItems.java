package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Somebody with very many items, loaded at once: without the triggers, whose work is done here in bulk. */
public final class ManyItems {

    public static final int TODO = 10_000;
    public static final int SNOOZED = 500;
    public static final int DONE = 200_000;
    private static final int ISSUES = 2_000;
    private static final int REQUESTS = 500;

    private ManyItems() {}

    /** Gives {@code user} the items, about issues and merge requests in forty projects of four groups. */
    public static void load(TestInbox inbox, UserId user, UserId author) {
        inbox.db.useTransaction(tx -> {
            tx.update("SET LOCAL session_replication_role = replica").execute();
            tx.update("SET LOCAL statement_timeout = 0").execute();
            resources(tx);
            items(tx, user, author);
            links(tx, "issue_notifications", 1);
            links(tx, "merge_request_notifications", 2);
            tx.update("""
                    INSERT INTO inbox.tallies (user_id, state, action, resource_type, items, unread, saved)
                    SELECT user_id, state, action, resource_type, count(*), count(*) FILTER (WHERE NOT read),
                           count(*) FILTER (WHERE saved)
                    FROM inbox.notifications
                    WHERE user_id = :user
                    GROUP BY user_id, state, action, resource_type
                    """).bind("user", user.value()).execute();
        });
        vacuum(inbox);
    }

    /**
     * Again, until every page is known to be visible: whoever is looking meanwhile, statistics for instance, keeps some from it. Where
     * two have written at once, a table may have pages that were never used, which are never marked: it is written anew then.
     */
    private static void vacuum(TestInbox inbox) {
        var attempts = new AtomicInteger();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
            vacuumOnce(inbox, attempts.getAndIncrement() % 5 == 4 ? "FULL, ANALYZE" : "ANALYZE");
            return inbox.db.read(reads -> reads.query("""
                            SELECT bool_and(relallvisible = relpages) FROM pg_class
                            WHERE oid IN (SELECT relid FROM pg_partition_tree('inbox.notifications')) AND relkind = 'r'
                            """).mapTo(Boolean.class).one());
        });
    }

    private static void vacuumOnce(TestInbox inbox, String options) {
        try (var connection = inbox.db.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = 0");
            statement.execute("""
                    VACUUM (%s) inbox.notifications, inbox.issue_notifications, inbox.merge_request_notifications,
                        inbox.resources, inbox.issues, inbox.namespaces, inbox.people, inbox.tallies
                    """.formatted(options));
            statement.execute("RESET statement_timeout");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void resources(Tx tx) {
        tx.update("""
                INSERT INTO inbox.namespaces (id, connection_id, parent_id, path, name)
                SELECT 1000 + g, :gitlab, NULL, 'group' || g, 'group' || g FROM generate_series(0, 3) AS g
                UNION ALL
                SELECT 2000 + p, :gitlab, 1000 + p % 4, 'group' || p % 4 || '/project' || p, 'project' || p
                FROM generate_series(0, 39) AS p
                """).bind("gitlab", TestInbox.GITLAB.value()).execute();
        tx.update("""
                INSERT INTO inbox.people (id, connection_id, username)
                SELECT 3000 + p, :gitlab, 'colleague' || p FROM generate_series(0, 9) AS p
                """).bind("gitlab", TestInbox.GITLAB.value()).execute();
        tx.update("""
                INSERT INTO inbox.resources (id, type, connection_id, namespace_id, external_id, title, state,
                                             work_item_type, changed_at)
                SELECT 10000 + i, CASE WHEN i < :issues THEN 1 ELSE 2 END, :gitlab, 2000 + i % 40, 'x' || i,
                       'Title ' || i, 'opened', CASE WHEN i < :issues THEN 'issue' END, now()
                FROM generate_series(0, :all - 1) AS i
                """)
                .bind("issues", ISSUES)
                .bind("all", ISSUES + REQUESTS)
                .bind("gitlab", TestInbox.GITLAB.value())
                .execute();
        tx.update("INSERT INTO inbox.issues (id) SELECT id FROM inbox.resources WHERE type = 1 AND id >= 10000")
                .execute();
        tx.update("INSERT INTO inbox.merge_requests (id) SELECT id FROM inbox.resources WHERE type = 2 AND id >= 10000")
                .execute();
    }

    /** The oldest are done. Every twentieth is saved; every thousandth of those done is a mention by {@code author}. */
    private static void items(Tx tx, UserId user, UserId author) {
        tx.update("""
                INSERT INTO inbox.notifications
                    (id, user_id, read, created_at, updated_at, namespace_id, snoozed_until, saved, resolved_by_action,
                     author_id, author_person_id, action, resource_type, resource_id, state, happened_at, resolved_at)
                SELECT 1000000 + i, :user, i % 3 = 0, moment, moment, 2000 + r % 40,
                       CASE WHEN state = 1 THEN now() + make_interval(secs => 3600 + i % 10000)
                            WHEN i % 100 = 0 THEN moment + interval '1 day' END,
                       i % 20 = 0, CASE WHEN state = 2 THEN 4 END,
                       CASE WHEN i % 1000 = 7 THEN :author END, CASE WHEN i % 1000 <> 7 THEN 3000 + i % 10 END,
                       CASE WHEN i % 1000 = 7 THEN 2 ELSE (ARRAY[1, 4, 5, 9, 11, 13])[1 + i / 2500 % 6] END,
                       CASE WHEN r < :issues THEN 1 ELSE 2 END, 10000 + r, state, moment,
                       CASE WHEN state = 2 THEN moment END
                FROM (SELECT i, i % :resources AS r, now() - make_interval(secs => (:all - i) * 30) AS moment,
                             CASE WHEN i < :done THEN 2 WHEN i < :done + :snoozed THEN 1 ELSE 0 END AS state
                      FROM generate_series(0, :all - 1) AS i) AS made
                """)
                .bind("user", user.value())
                .bind("author", author.value())
                .bind("issues", ISSUES)
                .bind("resources", ISSUES + REQUESTS)
                .bind("done", DONE)
                .bind("snoozed", SNOOZED)
                .bind("all", DONE + SNOOZED + TODO)
                .execute();
    }

    private static void links(Tx tx, String table, int type) {
        tx.update("""
                INSERT INTO inbox.%s (notification_id, user_id, resource_id, namespace_id)
                SELECT id, user_id, resource_id, namespace_id FROM inbox.notifications WHERE resource_type = :type
                """.formatted(table)).bind("type", type).execute();
    }
}
