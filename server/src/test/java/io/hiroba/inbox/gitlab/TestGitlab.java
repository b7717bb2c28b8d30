package io.hiroba.inbox.gitlab;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxFilter;
import io.hiroba.inbox.InboxItem;
import io.hiroba.inbox.InboxView;
import io.hiroba.inbox.ResourceType;
import io.hiroba.inbox.Snooze;
import io.hiroba.inbox.TestInbox;
import io.hiroba.inbox.fanout.PersonDescription;
import io.hiroba.inbox.fanout.SnoozeEvent;
import io.hiroba.platform.task.WakeSignal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An inbox connected to a GitLab whose people have accounts here. */
public final class TestGitlab implements AutoCloseable {

    public final TestInbox inbox = new TestInbox();
    public final WakeSignal signal = new WakeSignal();
    public final DeliveryMeters meters = new DeliveryMeters(new SimpleMeterRegistry());
    public final WebhookDeliveries deliveries =
            new WebhookDeliveries(inbox.db, inbox.accounts.lease.ids(), inbox.accounts.clock, signal, meters);
    public final GitlabEvents events = new GitlabEvents(inbox.fanout);

    private final Map<String, UserId> users = new ConcurrentHashMap<>();

    /** Somebody whom the GitLab knows by this number and name, with an account here. */
    public UserId person(int number, String username) {
        return users.computeIfAbsent(username, name -> {
            var user = inbox.user(name);
            inbox.db.useTransaction(tx -> {
                var described = new PersonDescription(String.valueOf(number), name, null, null, null);
                var person = inbox.people.of(tx, TestInbox.GITLAB, described);
                inbox.people.link(tx, person.id(), user);
            });
            return user;
        });
    }

    /** Handles what a webhook sends; single quotes are read as double ones. */
    public DeliveryOutcome hook(String json) {
        return inbox.db.inTransaction(tx -> events.handle(tx, call(json)));
    }

    DeliveryWorker.Call call(String json) {
        var body = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        var root = WebhookPayload.read(body);
        var event = root.path("object_kind").asString(root.path("event_name").asString(""));
        return new DeliveryWorker.Call(
                new DeliveryId(inbox.accounts.lease.ids().next()),
                TestInbox.GITLAB,
                event,
                body,
                inbox.accounts.clock.instant());
    }

    /** Has somebody snooze all of their items. */
    void snooze(String username, SnoozeEvent event) {
        var caller = inbox.accounts.caller(known(username));
        var ids = inbox.inbox.list(caller, InboxFilter.of(InboxView.TODO), Optional.empty(), 100).items().stream()
                .map(InboxItem::id)
                .toList();
        inbox.inbox.snooze(caller, ids, Snooze.untilEvent(event));
    }

    /** Has somebody keep resolved items until they dismiss them. */
    void keepResolved(String username) {
        inbox.db.useTransaction(
                tx -> tx.update("INSERT INTO inbox.settings (user_id, keep_resolved) VALUES (:user, TRUE)")
                        .bind("user", known(username).value())
                        .execute());
    }

    private UserId known(String username) {
        var user = users.get(username);
        if (user == null) {
            throw new IllegalArgumentException("nobody is called " + username);
        }
        return user;
    }

    /** The items of somebody, as {@code assigned issue 301 todo}, in the order in which they came. */
    public List<String> items(String username) {
        return rows(username, "TRUE");
    }

    /** Those of them that are not done. */
    public List<String> pending(String username) {
        return rows(username, "n.state < 2");
    }

    private List<String> rows(String username, String condition) {
        var user = known(username);
        return inbox.db.read(reads -> reads.query("""
                        SELECT n.action, n.resource_type, r.external_id, n.state
                        FROM inbox.notifications n
                        JOIN inbox.resources r ON r.id = n.resource_id
                        WHERE n.user_id = :user AND %s
                        ORDER BY n.id
                        """.formatted(condition))
                .bind("user", user.value())
                .map(row -> "%s %s %s %s"
                        .formatted(
                                Action.of(row.getInt("action")).text(),
                                ResourceType.of(row.getInt("resource_type")).text(),
                                row.getString("external_id"),
                                List.of("todo", "snoozed", "done").get(row.getInt("state"))))
                .list());
    }

    /** Of a resource: title, state and, of an issue, its type. */
    public String resource(ResourceType type, String externalId) {
        return inbox.db.read(reads -> reads.query("""
                        SELECT r.title || ' | ' || r.state || coalesce(' | ' || r.work_item_type, '')
                               || coalesce(' | ' || m.merge_status, '')
                        FROM inbox.resources r
                        LEFT JOIN inbox.merge_requests m ON m.id = r.id
                        WHERE r.type = :type AND r.external_id = :external
                        """)
                .bind("type", type.code())
                .bind("external", externalId)
                .mapTo(String.class)
                .findOne()
                .orElse("none"));
    }

    @Override
    public void close() {
        inbox.close();
    }
}
