package io.hiroba.webhooks;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Columns;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.webhooks.OutgoingWebhook.DisabledBy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of webhooks and of their secrets. */
final class WebhookStore {

    private static final String COLUMNS = """
            id, user_id, url, events, projects, workflows, description, as_admin, starts_after, created_at,
            disabled_by, disabled_at, paused_at, failing_since, last_success_at,
            replay_after IS NOT NULL AS replaying""";

    private static final String IS_ENABLED = "disabled_at IS NULL AND paused_at IS NULL";

    void insert(Tx tx, OutgoingWebhook webhook) {
        tx.update("""
                        INSERT INTO webhooks.webhooks (
                            id, user_id, url, events, projects, workflows, description, as_admin, starts_after)
                        VALUES (:id, :user, :url, :events, :projects, :workflows, :description, :admin, :starts)
                        """)
                .bind("id", webhook.id())
                .bind("user", webhook.owner().value())
                .bind("url", webhook.url())
                .bindArray("events", String.class, webhook.events().patterns())
                .bindArray("projects", String.class, webhook.events().projects())
                .bindArray("workflows", String.class, webhook.events().workflows())
                .bind("description", webhook.description())
                .bind("admin", webhook.asAdmin())
                .bind("starts", webhook.startsAfter())
                .execute();
    }

    /** Serialises the changes of how many webhooks a user has. */
    void lockOwner(Tx tx, UserId user) {
        tx.lock("webhooks.owner", user.hex());
    }

    int count(Reads reads, UserId user) {
        return reads.query("SELECT count(*) FROM webhooks.webhooks WHERE user_id = :user")
                .bind("user", user.value())
                .mapTo(Integer.class)
                .one();
    }

    Optional<OutgoingWebhook> find(Reads reads, long id) {
        return found(reads, id, "");
    }

    /** The webhook, which stays as it is until {@code tx} ends. */
    Optional<OutgoingWebhook> lock(Tx tx, long id) {
        return found(tx, id, "FOR NO KEY UPDATE");
    }

    private static Optional<OutgoingWebhook> found(Reads reads, long id, String lock) {
        return reads.query("SELECT %s FROM webhooks.webhooks WHERE id = :id %s".formatted(COLUMNS, lock))
                .bind("id", id)
                .map(WebhookStore::webhook)
                .findOne();
    }

    /** The newest first; of everybody if {@code owner} is null. */
    List<OutgoingWebhook> list(Reads reads, @Nullable UserId owner, long before, int limit) {
        return list(reads, "", owner, before, limit).map(WebhookStore::webhook).list();
    }

    /** {@code lead} may be EXPLAIN. */
    static Query list(Reads reads, String lead, @Nullable UserId owner, long before, int limit) {
        return reads.query(lead + """
                SELECT %s FROM webhooks.webhooks
                WHERE %s id < :before
                ORDER BY id DESC
                LIMIT :limit
                """.formatted(COLUMNS, owner == null ? "" : "user_id = :user AND"))
                .bind("user", owner == null ? null : (Long) owner.value())
                .bind("before", before)
                .bind("limit", limit);
    }

    /** Those that are told of events, which none of them is deleted before {@code tx} ends. */
    List<OutgoingWebhook> lockEnabled(Tx tx) {
        return tx.query("SELECT %s FROM webhooks.webhooks WHERE %s ORDER BY id FOR KEY SHARE"
                        .formatted(COLUMNS, IS_ENABLED))
                .map(WebhookStore::webhook)
                .list();
    }

    List<EventFilter> enabledFilters(Reads reads) {
        return reads.query("SELECT DISTINCT events, projects, workflows FROM webhooks.webhooks WHERE " + IS_ENABLED)
                .map(WebhookStore::filter)
                .list();
    }

    void update(Tx tx, OutgoingWebhook webhook) {
        tx.update("""
                        UPDATE webhooks.webhooks
                        SET url = :url, events = :events, projects = :projects, workflows = :workflows,
                            description = :description, as_admin = :admin, updated_at = now()
                        WHERE id = :id
                        """)
                .bind("id", webhook.id())
                .bind("url", webhook.url())
                .bindArray("events", String.class, webhook.events().patterns())
                .bindArray("projects", String.class, webhook.events().projects())
                .bindArray("workflows", String.class, webhook.events().workflows())
                .bind("description", webhook.description())
                .bind("admin", webhook.asAdmin())
                .execute();
    }

    /** Lets it be told of events after {@code startsAfter}. */
    void enable(Tx tx, long id, long startsAfter) {
        tx.update("""
                        UPDATE webhooks.webhooks
                        SET disabled_at = NULL, disabled_by = NULL, failing_since = NULL, starts_after = :starts, updated_at = now()
                        WHERE id = :id AND disabled_at IS NOT NULL
                        """).bind("id", id).bind("starts", startsAfter).execute();
    }

    /** Lets it be told of nothing; false if that is so already. What waits is given up. */
    boolean disable(Tx tx, long id, DisabledBy by) {
        boolean changed = tx.update("""
                        UPDATE webhooks.webhooks
                        SET disabled_at = now(), disabled_by = :by, replay_after = NULL, replay_until = NULL, updated_at = now()
                        WHERE id = :id AND disabled_at IS NULL
                        """).bind("id", id).bind("by", by.code()).execute() == 1;
        giveUp(tx, id);
        return changed;
    }

    /** Lets it be told of nothing, whatever its owner does, until it is resumed. What waits is given up. */
    void pause(Tx tx, long id) {
        tx.update("""
                        UPDATE webhooks.webhooks
                        SET paused_at = now(), replay_after = NULL, replay_until = NULL, updated_at = now()
                        WHERE id = :id AND paused_at IS NULL
                        """).bind("id", id).execute();
        giveUp(tx, id);
    }

    /** Ends the pause; one that is not disabled besides is told of events after {@code startsAfter}. */
    void resume(Tx tx, long id, long startsAfter) {
        tx.update("""
                        UPDATE webhooks.webhooks
                        SET paused_at = NULL, failing_since = NULL, starts_after = :starts, updated_at = now()
                        WHERE id = :id AND paused_at IS NOT NULL
                        """).bind("id", id).bind("starts", startsAfter).execute();
    }

    private static void giveUp(Tx tx, long id) {
        tx.update("DELETE FROM webhooks.queues WHERE webhook_id = :id")
                .bind("id", id)
                .execute();
        tx.update("""
                        UPDATE webhooks.deliveries SET status = 'failed', error = 'disabled'
                        WHERE webhook_id = :id AND status = 'pending'
                        """).bind("id", id).execute();
    }

    boolean delete(Tx tx, long id) {
        return tx.update("DELETE FROM webhooks.webhooks WHERE id = :id")
                        .bind("id", id)
                        .execute()
                == 1;
    }

    /** Written at most once a minute while all is well. */
    void succeeded(Tx tx, long id) {
        tx.update("""
                        UPDATE webhooks.webhooks
                        SET failing_since = NULL, last_success_at = now()
                        WHERE id = :id
                          AND (failing_since IS NOT NULL OR last_success_at IS NULL
                               OR last_success_at < now() - interval '1 minute')
                        """).bind("id", id).execute();
    }

    /** Notes a failure; how long there was no success. */
    Duration failed(Tx tx, long id) {
        tx.update("UPDATE webhooks.webhooks SET failing_since = now() WHERE id = :id AND failing_since IS NULL")
                .bind("id", id)
                .execute();
        return tx.query("""
                        SELECT CAST(coalesce(extract(epoch FROM now() - failing_since), 0) * 1000 AS bigint)
                        FROM webhooks.webhooks
                        WHERE id = :id
                        """)
                .bind("id", id)
                .mapTo(Long.class)
                .findOne()
                .map(Duration::ofMillis)
                .orElse(Duration.ZERO);
    }

    void replay(Tx tx, long id, @Nullable Long after, @Nullable Long until) {
        tx.update("UPDATE webhooks.webhooks SET replay_after = :after, replay_until = :until WHERE id = :id")
                .bind("id", id)
                .bind("after", after)
                .bind("until", until)
                .execute();
    }

    /** A webhook whose replay is not over. */
    record Replay(OutgoingWebhook webhook, long after, long until) {}

    /** Locks a replay that no other node works on. */
    Optional<Replay> claimReplay(Tx tx) {
        return tx.query("""
                        SELECT %s, replay_after, replay_until FROM webhooks.webhooks
                        WHERE replay_after IS NOT NULL
                        ORDER BY id
                        LIMIT 1
                        FOR NO KEY UPDATE SKIP LOCKED
                        """.formatted(COLUMNS))
                .map(row -> new Replay(webhook(row), row.getLong("replay_after"), row.getLong("replay_until")))
                .findOne();
    }

    private static OutgoingWebhook webhook(ResultSet row) throws SQLException {
        var by = row.getString("disabled_by");
        return new OutgoingWebhook(
                row.getLong("id"),
                new UserId(row.getLong("user_id")),
                row.getString("url"),
                filter(row),
                row.getString("description"),
                row.getBoolean("as_admin"),
                row.getLong("starts_after"),
                Columns.instant(row, "created_at"),
                by == null ? null : DisabledBy.valueOf(by.toUpperCase(Locale.ROOT)),
                Columns.instantOrNull(row, "disabled_at"),
                Columns.instantOrNull(row, "paused_at"),
                Columns.instantOrNull(row, "failing_since"),
                Columns.instantOrNull(row, "last_success_at"),
                row.getBoolean("replaying"));
    }

    private static EventFilter filter(ResultSet row) throws SQLException {
        return new EventFilter(texts(row, "events"), texts(row, "projects"), texts(row, "workflows"));
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        return Arrays.asList((String[]) row.getArray(column).getArray());
    }
}
