package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.ItemId;
import io.hiroba.inbox.ItemState;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Inserts the items of notification requests. */
final class ItemFanoutStore {

    /**
     * Inserts an item and its link for each of the users who wants it. An item that is not done gets the time of the new
     * request: activity from before, however late it arrives, does not resolve it.
     *
     * @param decided whether the request says if it is resolved; otherwise what is known of later events does, too
     * @param lineage the resource's namespace and its ancestors, the nearest first
     */
    List<CreatedNotification> insert(
            Tx tx,
            NotificationRequest request,
            boolean decided,
            List<UserId> users,
            IdGenerator ids,
            List<NamespaceId> lineage,
            Instant now) {
        var resource = request.resource();
        return tx.query("""
                        WITH auto_resolved AS (
                            SELECT FROM inbox.auto_resolutions
                            WHERE resource_id = :resource AND action = :action AND resolved_until >= :at
                        ), recipients AS (
                            SELECT u.id, u.user_id, coalesce(preference.delivery, 'on') AS delivery,
                                   :resolved
                                   OR (NOT :decided
                                       AND EXISTS (SELECT FROM inbox.acts act
                                                   JOIN inbox.people person ON person.id = act.person_id
                                                   WHERE person.user_id = u.user_id AND act.resource_id = :root
                                                     AND act.acted_at >= :at))
                                   OR (NOT :decided
                                       AND EXISTS (SELECT FROM auto_resolved)
                                       AND NOT coalesce((SELECT keep_resolved FROM inbox.settings s
                                                         WHERE s.user_id = u.user_id), FALSE)) AS done
                            FROM unnest(:ids, :users) AS u (id, user_id)
                            LEFT JOIN LATERAL (
                                SELECT p.delivery
                                FROM inbox.preferences p
                                WHERE p.user_id = u.user_id
                                  AND (p.namespace_id IS NULL OR p.namespace_id = ANY (:lineage))
                                  AND (p.action IS NULL OR p.action = :action)
                                ORDER BY array_position(:lineage, p.namespace_id) NULLS LAST, p.action NULLS LAST
                                LIMIT 1
                            ) preference ON TRUE
                        ), merged AS (
                            INSERT INTO inbox.merged_requests (user_id, item_id, happened_at, author_id, author_person_id)
                            SELECT n.user_id, n.id, n.happened_at, n.author_id, n.author_person_id
                            FROM recipients
                            JOIN inbox.notifications n
                                 ON n.user_id = recipients.user_id AND n.resource_id = :resource AND n.action = :action
                                    AND n.state < 2 /* not done */ AND n.action NOT IN (2, 7, 10) /* mentions and access requests */
                            WHERE delivery <> 'off' AND NOT done AND n.happened_at < :at
                            ON CONFLICT DO NOTHING
                        ), created AS (
                            INSERT INTO inbox.notifications AS n
                                (id, user_id, created_at, updated_at, namespace_id, author_id, author_person_id, action,
                                 resource_type, resource_id, happened_at, state, resolved_by_action, resolved_at)
                            SELECT id, user_id, :now, :now, :namespace, :author, :person, :action,
                                   :type, :resource, :at,
                                   CASE WHEN done THEN 2 /* done */ ELSE 0 /* to do */ END,
                                   CASE WHEN done THEN 0 /* system_done */ END,
                                   CASE WHEN done THEN CAST(:now AS TIMESTAMPTZ) END
                            FROM recipients
                            WHERE delivery <> 'off'
                            ORDER BY user_id
                            ON CONFLICT (user_id, resource_id, action) WHERE state < 2 /* not done */ AND action NOT IN (2, 7, 10) /* mentions and access requests */
                                DO UPDATE SET happened_at = excluded.happened_at, author_id = excluded.author_id,
                                              author_person_id = excluded.author_person_id
                                WHERE excluded.happened_at > n.happened_at
                            RETURNING n.id, n.user_id, n.state
                        ), linked AS (
                            INSERT INTO %s (notification_id, user_id, resource_id, namespace_id)
                            SELECT id, created.user_id, :resource, :namespace FROM created JOIN recipients USING (id)
                        )
                        SELECT created.id, created.user_id, created.state, recipients.delivery = 'email' AS email
                        FROM created JOIN recipients USING (id)
                        ORDER BY created.user_id
                        """.formatted(resource.type().links()))
                .bind("resource", resource.id().value())
                .bind("root", resource.root().value())
                .bind("type", resource.type().code())
                .bind("namespace", resource.namespace().value())
                .bind("action", request.action().code())
                .bind("at", request.at())
                .bind("resolved", request.resolved())
                .bind("decided", decided)
                .bind("author", request.author().userValue())
                .bind("person", request.author().personValue())
                .bind("now", now)
                .bindArray("ids", Long.class, users, _ -> ids.next())
                .bindArray("users", Long.class, users, UserId::value)
                .bindArray("lineage", Long.class, lineage, NamespaceId::value)
                .map(row -> new CreatedNotification(
                        new ItemId(row.getLong("id")),
                        new UserId(row.getLong("user_id")),
                        row.getInt("state") == ItemState.DONE.code(),
                        row.getBoolean("email")))
                .list();
    }

    /** Gives the item of a mention the time, action and author of an earlier one, which later activity may have resolved. */
    int moveMention(Tx tx, UserId user, Instant before, NotificationRequest request, Instant now) {
        return tx.update("""
                        UPDATE inbox.notifications n
                        SET happened_at = :at, action = :action, author_id = :author, author_person_id = :person,
                            state = CASE WHEN answered THEN 2 /* done */ ELSE state END,
                            resolved_by_action = CASE WHEN answered THEN 0 /* system_done */ ELSE resolved_by_action END,
                            resolved_at = CASE WHEN answered THEN CAST(:now AS TIMESTAMPTZ) ELSE resolved_at END,
                            snoozed_event = CASE WHEN answered THEN NULL ELSE snoozed_event END,
                            updated_at = :now
                        FROM (SELECT id, state < 2 /* not done */
                                         AND EXISTS (SELECT FROM inbox.acts act JOIN inbox.people p ON p.id = act.person_id
                                                     WHERE p.user_id = :user AND act.resource_id = :root
                                                       AND act.acted_at >= :at) AS answered
                              FROM inbox.notifications
                              WHERE user_id = :user AND resource_id = :resource AND action IN (2, 7) /* mentions */
                                AND happened_at = :before
                              FOR UPDATE) AS mention
                        WHERE n.user_id = :user AND n.id = mention.id
                        """)
                .bind("at", request.at())
                .bind("action", request.action().code())
                .bind("author", request.author().userValue())
                .bind("person", request.author().personValue())
                .bind("now", now)
                .bind("user", user.value())
                .bind("root", request.resource().root().value())
                .bind("resource", request.resource().id().value())
                .bind("before", before)
                .execute();
    }

    /** Deletes the item of a mention, if it is not saved. */
    int deleteMention(Tx tx, UserId user, Instant at, ResourceId resource) {
        return tx.update("""
                        DELETE FROM inbox.notifications
                        WHERE user_id = :user AND resource_id = :resource AND action IN (2, 7) /* mentions */
                          AND happened_at = :at AND NOT saved
                        """)
                .bind("user", user.value())
                .bind("resource", resource.value())
                .bind("at", at)
                .execute();
    }

    private static final Set<Action> DISTINGUISHED_BY_AUTHOR =
            Set.of(Action.MEMBER_ACCESS_REQUESTED, Action.REVIEW_SUBMITTED);

    /** The author of requests for access and reviews, since two people may do that at the same time; none for other actions. */
    static @Nullable Long distinguishingAuthor(NotificationRequest request) {
        var person = request.author().person();
        return person == null || !DISTINGUISHED_BY_AUTHOR.contains(request.action()) ? null : person.value();
    }

    /** Finds those of the users who have an item of this very request. */
    Set<UserId> notified(Reads reads, NotificationRequest request, Collection<UserId> users) {
        return reads.query("""
                        SELECT n.user_id
                        FROM %s link
                        JOIN inbox.notifications n ON n.user_id = link.user_id AND n.id = link.notification_id
                        WHERE link.resource_id = :resource AND link.user_id = ANY (:users)
                          AND n.action = :action AND n.happened_at = :at
                          AND (CAST(:author AS BIGINT) IS NULL OR n.author_person_id = :author)
                        """.formatted(request.resource().type().links()))
                .bind("resource", request.resource().id().value())
                .bindArray("users", Long.class, users, UserId::value)
                .bind("action", request.action().code())
                .bind("at", request.at())
                .bind("author", distinguishingAuthor(request))
                .map(row -> new UserId(row.getLong("user_id")))
                .set();
    }
}
