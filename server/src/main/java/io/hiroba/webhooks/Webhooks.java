package io.hiroba.webhooks;

import io.hiroba.accounts.AccountLookup;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.OutgoingUrl;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.webhooks.DeliveryQueueStore.NewDelivery;
import io.hiroba.webhooks.OutgoingDelivery.Status;
import io.hiroba.webhooks.OutgoingWebhook.DisabledBy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The webhooks of a user: made, changed, tried out, and their deliveries looked at and repeated. Others' are unknown, except to admins. */
final class Webhooks {

    private static final int MAX_DESCRIPTION = 200;

    /** The parts that webhooks are managed with. */
    record Parts(Db db, IdGenerator ids, EventLog log, EventFeed feed, WebhookFanout fanout, WebhookSecrets secrets) {}

    private final Parts parts;
    private final Db db;
    private final WebhooksConfig config;
    private final AuditLog audit;
    private final Runnable changed;
    private final WebhookStore store = new WebhookStore();
    private final DeliveryQueueStore queues = new DeliveryQueueStore();

    /** @param changed is run after the commit of a change that other nodes should know of */
    Webhooks(Parts parts, WebhooksConfig config, Runnable changed) {
        this.parts = parts;
        this.db = parts.db();
        this.config = config;
        this.audit = new AuditLog(db);
        this.changed = changed;
    }

    /** The settings of a webhook. */
    record WebhookSettings(String url, EventFilter events, String description) {}

    /** A webhook with its secret, which is told once. */
    record CreatedWebhook(OutgoingWebhook webhook, String secret) {}

    List<String> types() {
        return parts.feed().catalog().types();
    }

    CreatedWebhook create(Caller caller, WebhookSettings settings, @Nullable String chosen) {
        caller.requireNotActing();
        var filter = validated(caller, settings);
        var secret = WebhookSecrets.chosen(chosen);
        return db.inTransaction(tx -> {
            store.lockOwner(tx, caller.user());
            if (store.count(tx, caller.user()) >= config.perUser()) {
                throw WebhooksProblem.tooMany(config.perUser());
            }
            long id = parts.ids().next();
            var webhook = new OutgoingWebhook(
                    id,
                    caller.user(),
                    settings.url(),
                    filter,
                    settings.description(),
                    isAdmin(caller),
                    parts.log().end(tx),
                    Instant.EPOCH,
                    null,
                    null,
                    null,
                    null,
                    null,
                    false);
            store.insert(tx, webhook);
            parts.secrets().set(tx, id, secret);
            audit.record(tx, caller, Action.WEBHOOK_CREATED, target(webhook));
            tx.afterCommit(changed);
            return new CreatedWebhook(store.find(tx, id).orElseThrow(), secret);
        });
    }

    private static Target target(OutgoingWebhook webhook) {
        return Target.of(TargetKind.WEBHOOK, Ids.hex(webhook.id()), webhook.url(), webhook.owner());
    }

    /** A token with few scopes makes no webhook that is told more than the token reads. */
    private static boolean isAdmin(Caller caller) {
        return caller.admin() && caller.allows(TokenScope.ADMIN_READ);
    }

    private EventFilter validated(Caller caller, WebhookSettings settings) {
        requireUrl(settings.url());
        if (settings.description().length() > MAX_DESCRIPTION) {
            throw WebhooksProblem.invalid("description", Text.of("webhooks.field.description", "max", MAX_DESCRIPTION));
        }
        var patterns = settings.events().patterns();
        if (patterns.isEmpty() || patterns.size() > EventFilter.MAX) {
            throw WebhooksProblem.invalid("events", Text.of("webhooks.field.events", "max", EventFilter.MAX));
        }
        EventFeedRoutes.requireKnown(parts.feed().catalog(), "events", patterns);
        var filter = new EventFilter(
                patterns.stream().distinct().toList(),
                EventFilter.validProjects("projects", settings.events().projects()),
                EventFilter.validWorkflows("workflows", settings.events().workflows()));
        var missing = parts.feed().missingScopes(caller, filter);
        if (!missing.isEmpty()) {
            throw WebhooksProblem.scopeRequired(missing);
        }
        return filter;
    }

    private void requireUrl(String url) {
        var fault = OutgoingUrl.check(url, config.privateAddresses());
        if (fault.isPresent()) {
            throw WebhooksProblem.invalid(
                    "url",
                    switch (fault.get()) {
                        case PRIVATE -> Text.of("webhooks.field.private");
                        case UNUSABLE ->
                            config.privateAddresses()
                                    ? Text.of("webhooks.field.url-any", "max", OutgoingUrl.MAX_LENGTH)
                                    : Text.of("webhooks.field.url", "max", OutgoingUrl.MAX_LENGTH);
                    });
        }
    }

    /** The newest first; of everybody for an admin who asks for {@code all}. */
    List<OutgoingWebhook> list(Caller caller, boolean all, Optional<Long> before, int limit) {
        if (all) {
            caller.requireAdmin();
        }
        @Nullable UserId owner = all ? null : caller.user();
        return db.read(reads -> store.list(reads, owner, before.orElse(Long.MAX_VALUE), limit));
    }

    /** The nicknames of those who have these webhooks. */
    Map<UserId, String> owners(List<OutgoingWebhook> webhooks) {
        var owners = webhooks.stream().map(OutgoingWebhook::owner).distinct().toList();
        return db.read(reads -> new AccountLookup().nicknames(reads, owners));
    }

    OutgoingWebhook get(Caller caller, long id) {
        return db.read(reads -> own(reads, caller, id));
    }

    private OutgoingWebhook own(Reads reads, Caller caller, long id) {
        return allowed(caller, store.find(reads, id));
    }

    private OutgoingWebhook locked(Tx tx, Caller caller, long id) {
        return allowed(caller, store.lock(tx, id));
    }

    private static OutgoingWebhook allowed(Caller caller, Optional<OutgoingWebhook> webhook) {
        return webhook.filter(found -> caller.mayChange(found.owner())).orElseThrow(WebhooksProblem::notFound);
    }

    /** Changes the settings: only the owner, whose rights it has. */
    OutgoingWebhook update(Caller caller, long id, WebhookSettings settings, boolean enabled) {
        caller.requireNotActing();
        return db.inTransaction(tx -> {
            var before = locked(tx, caller, id);
            if (!before.owner().equals(caller.user())) {
                throw WebhooksProblem.ownerOnly();
            }
            var filter = validated(caller, settings);
            store.update(
                    tx,
                    new OutgoingWebhook(
                            id,
                            before.owner(),
                            settings.url(),
                            filter,
                            settings.description(),
                            isAdmin(caller),
                            before.startsAfter(),
                            before.createdAt(),
                            null,
                            null,
                            null,
                            null,
                            null,
                            false));
            setEnabled(tx, before, enabled);
            var changes = Changes.NONE
                    .with("url", before.url(), settings.url())
                    .with("events", String.join(" ", before.events().patterns()), String.join(" ", filter.patterns()))
                    .with("projects", String.join(" ", before.events().projects()), String.join(" ", filter.projects()))
                    .with(
                            "workflows",
                            String.join(", ", before.events().workflows()),
                            String.join(", ", filter.workflows()))
                    .with("enabled", before.isEnabled(), enabled);
            audit.record(tx, caller, Action.WEBHOOK_CHANGED, target(before), changes);
            tx.afterCommit(changed);
            return store.find(tx, id).orElseThrow();
        });
    }

    /** Lets it be told of nothing until an admin resumes it, or of what happens from now on unless it is disabled besides. */
    OutgoingWebhook pause(Caller caller, long id, boolean paused) {
        caller.requireAdmin();
        return db.inTransaction(tx -> {
            var before = store.lock(tx, id).orElseThrow(WebhooksProblem::notFound);
            if (paused) {
                store.pause(tx, id);
            } else if (before.isPaused()) {
                store.resume(tx, id, parts.log().end(tx));
            }
            var after = store.find(tx, id).orElseThrow();
            if (before.isPaused() != after.isPaused()) {
                var changes = Changes.NONE.with("paused", before.isPaused(), after.isPaused());
                audit.record(tx, caller, Action.WEBHOOK_CHANGED, target(before), changes);
                tx.afterCommit(changed);
            }
            return after;
        });
    }

    /** One that was disabled begins anew with what happens from now on. */
    private void setEnabled(Tx tx, OutgoingWebhook webhook, boolean enabled) {
        if (enabled && !webhook.isEnabled()) {
            store.enable(tx, webhook.id(), parts.log().end(tx));
        } else if (!enabled && webhook.isEnabled()) {
            store.disable(tx, webhook.id(), DisabledBy.OWNER);
        }
    }

    void delete(Caller caller, long id) {
        db.useTransaction(tx -> {
            var webhook = locked(tx, caller, id);
            store.delete(tx, id);
            audit.record(tx, caller, Action.WEBHOOK_DELETED, target(webhook));
            tx.afterCommit(changed);
        });
    }

    /** Replaces the secret; bodies are signed with the former one too for a day. */
    String rotate(Caller caller, long id, @Nullable String chosen) {
        caller.requireNotActing();
        var secret = WebhookSecrets.chosen(chosen);
        db.useTransaction(tx -> {
            var webhook = locked(tx, caller, id);
            if (!webhook.owner().equals(caller.user())) {
                throw WebhooksProblem.ownerOnly();
            }
            parts.secrets().set(tx, id, secret);
            audit.record(tx, caller, Action.WEBHOOK_SECRET_RENEWED, target(webhook));
        });
        return secret;
    }

    /** Sends a delivery that only shows whether the receiver answers. */
    OutgoingDelivery ping(Caller caller, long id) {
        return db.inTransaction(tx -> {
            var webhook = active(tx, caller, id);
            long delivery = parts.ids().next();
            return queued(
                    tx,
                    new NewDelivery(
                            delivery, id, delivery, OutgoingDelivery.PING, Ids.hex(webhook.id()), alone(delivery)));
        });
    }

    /** The queue of a delivery that waits for no other. */
    private static String alone(long delivery) {
        return "delivery " + Ids.hex(delivery);
    }

    private OutgoingDelivery queued(Tx tx, NewDelivery delivery) {
        parts.fanout().add(tx, List.of(delivery));
        return queues.find(tx, delivery.webhook(), delivery.id()).orElseThrow();
    }

    private OutgoingWebhook active(Tx tx, Caller caller, long id) {
        var webhook = locked(tx, caller, id);
        if (webhook.isPaused()) {
            throw WebhooksProblem.paused();
        }
        if (!webhook.isEnabled()) {
            throw WebhooksProblem.disabled();
        }
        return webhook;
    }

    /** Makes a delivery of the same event, under the same id, whatever waits before it. */
    OutgoingDelivery redeliver(Caller caller, long id, long delivery) {
        return db.inTransaction(tx -> {
            active(tx, caller, id);
            var former = queues.find(tx, id, delivery).orElseThrow(WebhooksProblem::deliveryNotFound);
            long next = parts.ids().next();
            return queued(tx, new NewDelivery(next, id, former.event(), former.type(), former.key(), alone(next)));
        });
    }

    /** The position before all events since a time. */
    long before(Instant since) {
        return parts.feed().before(since);
    }

    /** Delivers what happened after a position again, up to now. */
    void replay(Caller caller, long id, long after) {
        replayFrom(caller, id, parts.feed().requireKept(after));
    }

    /** Delivers all events that are kept again, up to now. */
    void replayKept(Caller caller, long id) {
        replayFrom(caller, id, parts.feed().oldest());
    }

    private void replayFrom(Caller caller, long id, long after) {
        db.useTransaction(tx -> {
            active(tx, caller, id);
            store.replay(tx, id, after, parts.log().end(tx));
            tx.afterCommit(changed);
        });
    }

    /** The newest first. */
    List<OutgoingDelivery> deliveries(
            Caller caller, long id, @Nullable Status status, Optional<Long> before, int limit) {
        return db.read(reads -> {
            own(reads, caller, id);
            return queues.list(reads, id, status, before.orElse(Long.MAX_VALUE), limit);
        });
    }

    OutgoingDelivery delivery(Caller caller, long id, long delivery) {
        return db.read(reads -> {
            own(reads, caller, id);
            return queues.find(reads, id, delivery).orElseThrow(WebhooksProblem::deliveryNotFound);
        });
    }
}
