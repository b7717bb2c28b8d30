package io.hiroba.inbox;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.AutoResolver;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ExternalPeople;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.Fanout;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.Namespaces;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.PersonDescription;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceMirror;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestAccounts;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The inbox on a database of its own, with one GitLab that it hears of. */
public final class TestInbox implements AutoCloseable {

    /** A GitLab whose members may say who they are. */
    public static final ConnectionId GITLAB = new ConnectionId(77);

    /** When what is told happens, unless it is said otherwise. */
    public static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    public final TestAccounts accounts = new TestAccounts();
    public final Db db = accounts.db;
    public final ItemListener silent = new Silent();
    public final Fanout fanout =
            new Fanout(accounts.lease.ids(), accounts.clock, accounts.users, InboxConfig.DEFAULT.accessGrace(), silent);
    public final Namespaces namespaces = fanout.namespaces();
    public final ResourceMirror resources = fanout.resources();
    public final Notifier notifier = fanout.notifier();
    public final AutoResolver resolver = fanout.resolver();
    public final ExternalPeople people = fanout.people();

    public final WakeSignal snoozed = new WakeSignal();
    public final ItemLists lists = new ItemLists(db, namespaces, resources);
    public final Inbox inbox = inbox(silent);

    public TestInbox() {
        db.useTransaction(tx -> tx.update("""
                        INSERT INTO inbox.connections (id, kind, name, secret_hash, linking)
                        VALUES (:id, 'gitlab', 'Ours', '\\x00', 'open')
                        """).bind("id", GITLAB.value()).execute());
    }

    /** The inbox whose changes {@code listener} hears of. */
    public Inbox inbox(ItemListener listener) {
        return new Inbox(
                db, accounts.clock, listener, ZoneId.of("Asia/Tokyo"), lists, snoozed, (reads, ids) -> Map.of());
    }

    public UserId user(String nickname) {
        return accounts.user(nickname);
    }

    /** Somebody whom the GitLab knows by this user name, with an account here. */
    public ExternalPerson linked(String username) {
        var user = accounts.user(username);
        return db.inTransaction(tx -> {
            var person = people.of(tx, GITLAB, PersonDescription.byUsername(username));
            people.link(tx, person.id(), user);
            return new ExternalPerson(person.id(), username, user);
        });
    }

    /** Somebody whom the GitLab knows by this user name, without an account here. */
    public ExternalPerson stranger(String username) {
        return db.inTransaction(tx -> people.of(tx, GITLAB, PersonDescription.byUsername(username)));
    }

    public Resource issue(String namespace, String externalId) {
        return mirror(namespace, externalId, new ResourceDetails.Issue(1L, "issue"));
    }

    public Resource mergeRequest(String namespace, String externalId) {
        return mirror(namespace, externalId, new ResourceDetails.MergeRequest(1L, false, null));
    }

    public Resource comment(Resource on, String externalId) {
        return db.inTransaction(tx -> resources
                .upsert(
                        tx,
                        new ResourceSnapshot(
                                GITLAB,
                                on.namespace(),
                                externalId,
                                "A comment",
                                null,
                                "opened",
                                NOON,
                                new ResourceDetails.Note(on.id())))
                .resource());
    }

    public Resource mirror(String namespace, String externalId, ResourceDetails details) {
        return db.inTransaction(tx -> {
            var at = namespaces.at(tx, GITLAB, namespace);
            var told = new ResourceSnapshot(
                    GITLAB,
                    at.id(),
                    externalId,
                    "Title of " + externalId,
                    "https://gitlab.example/" + externalId,
                    "opened",
                    NOON,
                    details);
            return resources.upsert(tx, told).resource();
        });
    }

    public void notifyPeople(NotificationRequest request, ExternalPerson... people) {
        db.useTransaction(tx -> notifier.notifyPeople(tx, request, List.of(people)));
    }

    /** The items of a user, as {@code action:state}, in the order in which they came. */
    public List<String> items(UserId user) {
        return db.read(reads ->
                reads.query("""
                        SELECT action || ':' || CASE state WHEN 0 THEN 'todo' WHEN 1 THEN 'snoozed' ELSE 'done' END
                        FROM inbox.notifications WHERE user_id = :user ORDER BY id
                        """).bind("user", user.value()).mapTo(String.class).list());
    }

    /** Where tallies and items differ, for anybody; nothing, if all is well. */
    public List<String> miscounted() {
        return db.read(reads -> reads.query("""
                        SELECT coalesce(t.user_id, n.user_id) || ' ' || coalesce(t.state, n.state)
                               || ': told ' || coalesce(t.items, 0) || ', has ' || coalesce(n.items, 0)
                        FROM inbox.tallies t
                        FULL JOIN (SELECT user_id, state, action, resource_type, count(*) AS items,
                                          count(*) FILTER (WHERE NOT read) AS unread,
                                          count(*) FILTER (WHERE saved) AS saved
                                   FROM inbox.notifications GROUP BY 1, 2, 3, 4) n
                             USING (user_id, state, action, resource_type)
                        WHERE (coalesce(t.items, 0), coalesce(t.unread, 0), coalesce(t.saved, 0))
                              IS DISTINCT FROM (coalesce(n.items, 0), coalesce(n.unread, 0), coalesce(n.saved, 0))
                        """).mapTo(String.class).list());
    }

    @Override
    public void close() {
        accounts.close();
    }

    private static final class Silent implements ItemListener {

        @Override
        public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

        @Override
        public void changed(Tx tx, Collection<UserId> users) {}
    }
}
