package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ResourceType;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Resolves and wakes items. Rows are locked in the order of users and items. */
final class AutoResolveStore {

    private static final String RESOLVE = """
            WITH matching AS (
                SELECT n.user_id, n.id
                FROM %s link
                JOIN inbox.notifications n ON n.user_id = link.user_id AND n.id = link.notification_id
                WHERE link.resource_id = ANY (%s) AND n.state < 2 /* not done */ AND n.happened_at <= :at AND %s
                ORDER BY n.user_id, n.id
                FOR UPDATE OF n
            )
            UPDATE inbox.notifications n
            SET state = 2 /* done */, resolved_by_action = 0 /* system_done */, resolved_at = :now, updated_at = :now, snoozed_event = NULL,
                snoozed_until = CASE WHEN n.state = 1 /* snoozed */ THEN NULL ELSE n.snoozed_until END
            FROM matching
            WHERE n.user_id = matching.user_id AND n.id = matching.id
            RETURNING n.user_id
            """;
    private static final String WAKE = """
            WITH woken AS (
                SELECT n.user_id, n.id
                FROM inbox.notifications n
                WHERE n.resource_id = ANY (ARRAY(SELECT CAST(:resource AS BIGINT)
                                                 UNION ALL
                                                 SELECT id FROM inbox.notes WHERE target_id = :resource))
                  AND n.state = 1 /* snoozed */ AND n.snoozed_event IS NOT NULL AND n.snoozed_event IN (:event, 'any')
                  AND (n.snoozed_at IS NULL OR n.snoozed_at <= :received)
                ORDER BY n.user_id, n.id
                FOR UPDATE OF n
            )
            UPDATE inbox.notifications n
            SET state = 0 /* to do */, snoozed_until = :now, snoozed_event = NULL, read = FALSE, updated_at = :now
            FROM woken
            WHERE n.user_id = woken.user_id AND n.id = woken.id
            RETURNING n.user_id
            """;
    private static final String ITSELF = "ARRAY[CAST(:resource AS BIGINT)]";
    private static final String COMMENTS = "ARRAY(SELECT id FROM inbox.notes WHERE target_id = :resource)";

    /** Returns whether it is new. */
    boolean insertActivity(Tx tx, ResourceId root, PersonId person, Instant at) {
        return tx.update("""
                                INSERT INTO inbox.acts (resource_id, person_id, acted_at) VALUES (:root, :person, :at)
                                ON CONFLICT DO NOTHING
                                """)
                        .bind("root", root.value())
                        .bind("person", person.value())
                        .bind("at", at)
                        .execute()
                == 1;
    }

    void insertResolution(Tx tx, ResourceId resource, Set<Action> actions, Instant until, boolean ended) {
        insertResolution(tx, resource, actions, until, ended, false);
    }

    /** As above, for an end that was seen in a later state. */
    void insertSeenEnd(Tx tx, ResourceId resource, Set<Action> actions, Instant until) {
        insertResolution(tx, resource, actions, until, true, true);
    }

    private static void insertResolution(
            Tx tx, ResourceId resource, Set<Action> actions, Instant until, boolean ended, boolean seen) {
        tx.update("""
                        INSERT INTO inbox.auto_resolutions AS r (resource_id, action, resolved_until, ended, seen)
                        SELECT :resource, action, :until, :ended, :seen FROM unnest(:actions) AS action
                        ORDER BY action
                        ON CONFLICT (resource_id, action, resolved_until) DO UPDATE SET ended = TRUE
                            WHERE excluded.ended AND NOT r.ended
                        """)
                .bind("resource", resource.value())
                .bind("until", until)
                .bind("ended", ended)
                .bind("seen", seen)
                .bindArray("actions", Short.class, actions, action -> (short) action.code())
                .execute();
    }

    /** Deletes the ends that were seen in states from a time on, as far as it was not reopened between. */
    void deleteSeenEnds(Tx tx, ResourceId resource, Instant from) {
        tx.update("""
                        DELETE FROM inbox.auto_resolutions r
                        WHERE r.resource_id = :resource AND r.seen AND r.resolved_until >= :from
                          AND NOT EXISTS (SELECT FROM inbox.reopenings o
                                          WHERE o.resource_id = :resource AND o.reopened_at > :from
                                            AND o.reopened_at <= r.resolved_until)
                        """).bind("resource", resource.value()).bind("from", from).execute();
    }

    /** Whether the resource had ended before this time, and was not reopened since. */
    boolean isEnded(Reads reads, ResourceId resource, Instant at) {
        return reads.query("""
                        SELECT EXISTS (
                            SELECT FROM inbox.auto_resolutions r
                            WHERE r.resource_id = :resource AND r.ended AND r.resolved_until < :at
                              AND NOT EXISTS (SELECT FROM inbox.reopenings o
                                              WHERE o.resource_id = :resource AND o.reopened_at > r.resolved_until
                                                AND o.reopened_at <= :at))
                        """)
                .bind("resource", resource.value())
                .bind("at", at)
                .mapTo(Boolean.class)
                .one();
    }

    Set<Action> endedActions(Reads reads, ResourceId resource) {
        return reads.query("SELECT DISTINCT action FROM inbox.auto_resolutions WHERE resource_id = :resource AND ended")
                .bind("resource", resource.value())
                .map(row -> Action.of(row.getInt("action")))
                .set();
    }

    void insertReopening(Tx tx, ResourceId resource, Instant at) {
        tx.update(
                        "INSERT INTO inbox.reopenings (resource_id, reopened_at) VALUES (:resource, :at) ON CONFLICT DO NOTHING")
                .bind("resource", resource.value())
                .bind("at", at)
                .execute();
    }

    void deleteWithdrawals(Tx tx, ResourceId resource, Action action, PersonId person) {
        tx.update("""
                        DELETE FROM inbox.withdrawals
                        WHERE resource_id = :resource AND action = :action AND person_id = :person
                        """)
                .bind("resource", resource.value())
                .bind("action", action.code())
                .bind("person", person.value())
                .execute();
    }

    void insertWithdrawals(Tx tx, ResourceId resource, Set<Action> actions, Collection<PersonId> people, Instant at) {
        tx.update("""
                        INSERT INTO inbox.withdrawals (resource_id, action, person_id, withdrawn_at)
                        SELECT :resource, action, person, :at FROM unnest(:actions) AS action, unnest(:people) AS person
                        ORDER BY action, person
                        ON CONFLICT DO NOTHING
                        """)
                .bind("resource", resource.value())
                .bind("at", at)
                .bindArray("actions", Short.class, actions, action -> (short) action.code())
                .bindArray("people", Long.class, people, PersonId::value)
                .execute();
    }

    /**
     * Resolves a user's items about the resource, the target of a comment, and all comments on that.
     *
     * @param except the actions whose items are left alone
     */
    List<UserId> resolveAll(Tx tx, Resource resource, UserId user, Set<Action> except, Instant at, Instant now) {
        var users = new ArrayList<UserId>();
        var root = resource.root();
        var condition = "n.user_id = :user AND n.action <> ALL (:except)";
        var types = resource.id().equals(root) ? List.of(resource.type()) : rootTypes(tx, root);
        for (var type : types) {
            users.addAll(users(bound(tx.query(RESOLVE.formatted(type.links(), ITSELF, condition)), root, at, now)
                    .bind("user", user.value())
                    .bindArray("except", Short.class, except, action -> (short) action.code())));
        }
        users.addAll(users(bound(
                        tx.query(RESOLVE.formatted(ResourceType.NOTE.links(), COMMENTS, "n.user_id = :user")),
                        root,
                        at,
                        now)
                .bind("user", user.value())));
        return users;
    }

    private static List<ResourceType> rootTypes(Tx tx, ResourceId root) {
        return tx.query("SELECT type FROM inbox.resources WHERE id = :root")
                .bind("root", root.value())
                .map(row -> ResourceType.of(row.getInt("type")))
                .list();
    }

    List<UserId> resolve(Tx tx, Resource resource, Action action, Collection<UserId> users, Instant at, Instant now) {
        var condition = "n.action = :action AND n.user_id = ANY (:users)";
        return users(
                bound(tx.query(RESOLVE.formatted(resource.type().links(), ITSELF, condition)), resource.id(), at, now)
                        .bind("action", action.code())
                        .bindArray("users", Long.class, users, UserId::value));
    }

    List<UserId> resolveByAuthor(Tx tx, Resource resource, Action action, PersonId author, Instant until, Instant now) {
        var condition = "n.action = :action AND n.author_person_id = :author";
        return users(bound(
                        tx.query(RESOLVE.formatted(resource.type().links(), ITSELF, condition)),
                        resource.id(),
                        until,
                        now)
                .bind("action", action.code())
                .bind("author", author.value()));
    }

    List<UserId> wake(Tx tx, Resource resource, SnoozeEvent event, Instant receivedAt, Instant now) {
        return users(tx.query(WAKE)
                .bind("resource", resource.id().value())
                .bind("event", event.text())
                .bind("received", receivedAt)
                .bind("now", now));
    }

    private static Query bound(Query query, ResourceId resource, Instant at, Instant now) {
        return query.bind("resource", resource.value()).bind("at", at).bind("now", now);
    }

    private static List<UserId> users(Query query) {
        return query.map(row -> new UserId(row.getLong("user_id"))).list();
    }

    /** Finds those of the people who keep resolved items until they dismiss them. */
    List<ExternalPerson> keepingResolved(Reads reads, List<ExternalPerson> people) {
        var users = people.stream().flatMap(person -> person.account().stream()).toList();
        if (users.isEmpty()) {
            return List.of();
        }
        var keeping = reads.query("SELECT user_id FROM inbox.settings WHERE user_id = ANY (:users) AND keep_resolved")
                .bindArray("users", Long.class, users, UserId::value)
                .map(row -> new UserId(row.getLong("user_id")))
                .set();
        return people.stream()
                .filter(person -> person.account().filter(keeping::contains).isPresent())
                .toList();
    }
}
