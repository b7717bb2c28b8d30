package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ItemId;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Items as they are given, in the database. */
final class FanoutStore {

    /**
     * Inserts an item and its link for each of the users who wants it and does not have it already. Who has it is asked
     * anew: what they did in between, however late it is told of, does not answer it.
     *
     * @param ids one for each of the users
     * @param lineage the resource's namespace and those above it, the nearest first
     */
    List<Made> insert(Tx tx, News news, List<UserId> users, Long[] ids, Long[] lineage, Instant now) {
        var resource = news.resource();
        return tx.query("""
                        WITH moot AS (
                            SELECT FROM inbox.closures
                            WHERE resource_id = :resource AND action = :action AND moot_until >= :at
                        ), concerned AS (
                            SELECT u.id, u.user_id, coalesce(preference.delivery, 'on') AS delivery,
                                   :moot
                                   OR EXISTS (SELECT FROM inbox.acts act
                                              JOIN inbox.people person ON person.id = act.person_id
                                              WHERE person.user_id = u.user_id AND act.resource_id = :root
                                                AND act.acted_at >= :at)
                                   OR (EXISTS (SELECT FROM moot)
                                       AND NOT coalesce((SELECT keep_moot FROM inbox.settings s
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
                        ), made AS (
                            INSERT INTO inbox.notifications AS n
                                (id, user_id, created_at, updated_at, namespace_id, author_id, author_person_id, action,
                                 resource_type, resource_id, happened_at, state, resolved_by_action, resolved_at)
                            SELECT id, user_id, :now, :now, :namespace, :author, :person, :action,
                                   :type, :resource, :at,
                                   CASE WHEN done THEN 2 ELSE 0 END,
                                   CASE WHEN done THEN 0 END,
                                   CASE WHEN done THEN CAST(:now AS TIMESTAMPTZ) END
                            FROM concerned
                            WHERE delivery <> 'off'
                            ORDER BY user_id
                            ON CONFLICT (user_id, resource_id, action) WHERE state < 2 AND action NOT IN (2, 7, 10)
                                DO UPDATE SET happened_at = excluded.happened_at, author_id = excluded.author_id,
                                              author_person_id = excluded.author_person_id
                                WHERE excluded.happened_at > n.happened_at
                            RETURNING n.id, n.user_id, n.state
                        ), linked AS (
                            INSERT INTO %s (notification_id, user_id, resource_id, namespace_id)
                            SELECT id, made.user_id, :resource, :namespace FROM made JOIN concerned USING (id)
                        )
                        SELECT made.id, made.user_id, made.state, concerned.delivery = 'email' AS email
                        FROM made JOIN concerned USING (id)
                        ORDER BY made.user_id
                        """.formatted(resource.type().links()))
                .bind("resource", resource.id().value())
                .bind("root", resource.root().value())
                .bind("type", resource.type().code())
                .bind("namespace", resource.namespace().value())
                .bind("action", news.action().code())
                .bind("at", time(news.at()))
                .bind("moot", news.moot())
                .bind(
                        "author",
                        news.author().user() == null
                                ? null
                                : news.author().user().value())
                .bind(
                        "person",
                        news.author().person() == null
                                ? null
                                : news.author().person().value())
                .bind("now", time(now))
                .bindArray("ids", Long.class, (Object[]) ids)
                .bindArray("users", Long.class, (Object[])
                        users.stream().map(UserId::value).toArray(Long[]::new))
                .bindArray("lineage", Long.class, (Object[]) lineage)
                .map(row -> new Made(
                        new ItemId(row.getLong("id")),
                        new UserId(row.getLong("user_id")),
                        row.getInt("state") == 2,
                        row.getBoolean("email")))
                .list();
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
