package io.hiroba.inbox.fanout;

import static io.hiroba.inbox.TestInbox.GITLAB;
import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxConfig;
import io.hiroba.inbox.TestInbox;
import io.hiroba.inbox.gitlab.TestGitlab;
import io.hiroba.platform.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of the items of those who lose access. */
@Tag("slow")
class AccessRevocationTest {

    private static final Duration HOUR = InboxConfig.DEFAULT.accessGrace();

    private final Collection<UserId> changed = new ConcurrentLinkedQueue<>();
    private TestInbox inbox;
    private Memberships members;
    private AccessRevocation loss;

    @BeforeEach
    void open() {
        inbox = new TestInbox();
        members = new Memberships(inbox.accounts.clock, HOUR);
        loss = new AccessRevocation(inbox.db, inbox.accounts.clock, new ItemListener() {
            @Override
            public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {}

            @Override
            public void changed(Tx tx, Collection<UserId> users) {
                changed.addAll(users);
            }
        });
    }

    @AfterEach
    void close() {
        assertThat(inbox.miscounted()).isEmpty();
        inbox.close();
    }

    private NamespaceId namespace(String path) {
        return inbox.db.inTransaction(
                tx -> inbox.namespaces.at(tx, GITLAB, path).id());
    }

    private void joined(String path, ExternalPerson person, Instant at) {
        var namespace = namespace(path);
        inbox.db.useTransaction(tx -> members.join(tx, namespace, person.id(), 30, at));
    }

    private void left(String path, ExternalPerson person, Instant at) {
        var namespace = namespace(path);
        inbox.db.useTransaction(tx -> members.leave(tx, namespace, person.id(), at));
    }

    private void assign(ExternalPerson person, String... paths) {
        for (var path : paths) {
            inbox.notifyPeople(
                    NotificationRequest.of(
                            inbox.issue(path, "in " + path), Action.ASSIGNED, NotificationAuthor.NOBODY, NOON),
                    person);
        }
    }

    private List<String> places(ExternalPerson person) {
        var user = Objects.requireNonNull(person.user());
        return inbox.db.read(reads ->
                reads.query("""
                        SELECT n.path FROM inbox.notifications i JOIN inbox.namespaces n ON n.id = i.namespace_id
                        WHERE i.user_id = :user ORDER BY n.path
                        """).bind("user", user.value()).mapTo(String.class).list());
    }

    @Test
    void itemsGoAnHourAfterAccessIsLostFromAllBelowAndNobodyElses() {
        var ann = inbox.linked("ann");
        var bob = inbox.linked("bob");
        assign(ann, "a", "a/b", "a/b/c", "z");
        assign(bob, "a/b");
        joined("a/b", ann, NOON);
        left("a/b", ann, NOON.plusSeconds(5));
        assertThat(HOUR).isEqualTo(Duration.ofHours(1));
        inbox.accounts.clock.advance(HOUR.minusSeconds(1));
        loss.run();
        assertThat(places(ann)).containsExactly("a", "a/b", "a/b/c", "z");
        inbox.accounts.clock.advance(Duration.ofSeconds(1));
        loss.run();
        assertThat(places(ann)).containsExactly("a", "z");
        assertThat(places(bob)).containsExactly("a/b");
        assertThat(changed).containsExactly(Objects.requireNonNull(ann.user()));
    }

    @Test
    void whatHappenedBeforeAndArrivesAfterwardsIsNotTheirsAnyMore() {
        var ann = inbox.linked("ann");
        var bob = inbox.linked("bob");
        joined("a/b", ann, NOON.minusSeconds(5));
        left("a/b", ann, NOON);
        joined("a/c", ann, NOON);
        assign(ann, "a/b");
        assertThat(places(ann)).as("until the hour is over").containsExactly("a/b");
        inbox.accounts.clock.advance(HOUR);
        assign(ann, "a/b/early", "a/c");
        loss.run();
        assign(ann, "a/b/late", "a/c/d");
        assign(bob, "a/b/late");
        assertThat(places(ann)).containsExactly("a/c", "a/c/d");
        assertThat(places(bob)).containsExactly("a/b/late");
        joined("a/b", ann, NOON.plusSeconds(10));
        assign(ann, "a/b/back");
        assertThat(places(ann)).as("a member again").containsExactly("a/b/back", "a/c", "a/c/d");
    }

    @Test
    void whoIsBackWithinTheHourKeepsThemAndWhoIsBackLaterDoesNot() {
        var ann = inbox.linked("ann");
        assign(ann, "a/b");
        left("a/b", ann, NOON);
        inbox.accounts.clock.advance(HOUR.minusSeconds(1));
        joined("a/b", ann, NOON.plusSeconds(10));
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(places(ann)).containsExactly("a/b");
        left("a/b", ann, NOON.plusSeconds(20));
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        joined("a/b", ann, NOON.plusSeconds(30));
        assertThat(places(ann)).isEmpty();
    }

    @Test
    void anOlderMembershipEventThatArrivesLateChangesNothing() {
        var ann = inbox.linked("ann");
        assign(ann, "a/b");
        joined("a/b", ann, NOON.plusSeconds(30));
        left("a/b", ann, NOON);
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(places(ann)).containsExactly("a/b");
        left("a/b", ann, NOON.plusSeconds(60));
        joined("a/b", ann, NOON.plusSeconds(45));
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        joined("a/b", ann, NOON.plusSeconds(50));
        assertThat(places(ann)).isEmpty();
    }

    @Test
    void whatAnotherMembershipCoversStays() {
        var ann = inbox.linked("ann");
        assign(ann, "a/b", "a/b/c", "a/b/c/d", "a/b/e");
        joined("a/b/c", ann, NOON);
        left("a/b", ann, NOON);
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(places(ann)).containsExactly("a/b/c", "a/b/c/d");
        joined("a", ann, NOON);
        left("a/b/c", ann, NOON.plusSeconds(1));
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(places(ann)).containsExactly("a/b/c", "a/b/c/d");
    }

    @Test
    void whoBelongsAsSomebodyElseTooKeepsThem() {
        var ann = inbox.linked("ann");
        var user = Objects.requireNonNull(ann.user());
        assign(ann, "a/b");
        var here = inbox.db.inTransaction(tx -> inbox.people.local(tx, user));
        joined("a/b", here, NOON);
        left("a/b", ann, NOON);
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(places(ann)).containsExactly("a/b");
    }

    @Test
    void ofTwoWhoTurnOutToBeOneTheLaterWordHolds() {
        var byName = inbox.stranger("kim");
        var byNumber = described(new PersonDescription("4711", null, null, null, null));
        left("a/b", byName, NOON.plusSeconds(60));
        joined("a/b", byNumber, NOON);
        left("c", byName, NOON);
        joined("c", byNumber, NOON.plusSeconds(60));
        var both = described(new PersonDescription("4711", "kim", null, null, null));
        assertThat(both.id()).isEqualTo(byNumber.id());
        assertThat(inbox.db.<List<String>>read(reads -> reads.query("""
                        SELECT n.path || ' ' || m.access FROM inbox.members m JOIN inbox.namespaces n ON n.id = m.namespace_id
                        WHERE m.person_id = :person ORDER BY n.path
                        """)
                        .bind("person", both.id().value())
                        .mapTo(String.class)
                        .list()))
                .containsExactly("a/b 0", "c 30");
    }

    private ExternalPerson described(PersonDescription described) {
        return inbox.db.inTransaction(tx -> inbox.people.of(tx, GITLAB, described));
    }

    @Test
    void whatWaitsForAStrangerGoesToo() {
        var stranger = inbox.stranger("zoe");
        assign(stranger, "a/b/c", "z");
        left("a/b", stranger, NOON);
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(inbox.accounts.count("SELECT count(*) FROM inbox.pending_items"))
                .isEqualTo(1);
    }

    @Test
    void whatWaitsForAStrangerStaysWhereAnotherMembershipCoversIt() {
        var stranger = inbox.stranger("zoe");
        assign(stranger, "a/b", "a/b/c", "a/b/e");
        joined("a/b/c", stranger, NOON);
        left("a/b", stranger, NOON);
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(inbox.accounts.count("SELECT count(*) FROM inbox.pending_items"))
                .isEqualTo(1);
        joined("a", stranger, NOON);
        left("a/b/c", stranger, NOON.plusSeconds(1));
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        assertThat(inbox.accounts.count("SELECT count(*) FROM inbox.pending_items"))
                .isEqualTo(1);
    }

    @Test
    void manyItemsGoInBatchesOnTwoNodes() throws Exception {
        var people = List.of(inbox.linked("ann"), inbox.linked("bob"), inbox.linked("cid"));
        var issue = inbox.issue("a/b", "one");
        for (var person : people) {
            for (int i = 0; i < 3; i++) {
                inbox.notifyPeople(
                        NotificationRequest.of(issue, Action.MENTIONED, NotificationAuthor.NOBODY, NOON), person);
            }
            many(Objects.requireNonNull(person.user()));
            left("a/b", person, NOON);
        }
        inbox.accounts.clock.advance(HOUR);
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Boolean> node = () -> {
                loss.run();
                return true;
            };
            for (var done : nodes.invokeAll(Collections.nCopies(2, node))) {
                assertThat(done.get()).isTrue();
            }
        }
        loss.run();
        for (var person : people) {
            assertThat(places(person)).isEmpty();
            assertThat(Collections.frequency(changed, person.user()))
                    .as("transactions for 1,203 items")
                    .isEqualTo(3);
        }
        assertThat(inbox.accounts.count("SELECT count(*) FROM inbox.members WHERE leaves_at IS NOT NULL"))
                .isZero();
    }

    /** Twelve hundred items more. */
    private void many(UserId user) {
        inbox.db.useTransaction(tx -> tx.update("""
                        WITH added AS (
                            INSERT INTO inbox.notifications
                                (id, user_id, namespace_id, action, resource_type, resource_id, happened_at)
                            SELECT n, user_id, namespace_id, action, resource_type, resource_id, happened_at
                            FROM (SELECT * FROM inbox.notifications WHERE user_id = :user LIMIT 1) one,
                                 generate_series(1, 1200) n
                            RETURNING id, user_id, resource_id, namespace_id
                        )
                        INSERT INTO inbox.issue_notifications (notification_id, user_id, resource_id, namespace_id)
                        SELECT id, user_id, resource_id, namespace_id FROM added
                        """).bind("user", user.value()).execute());
    }

    @Test
    void thoseWhoMayLetOthersInAreItsMaintainersAndTheirsAbove() {
        var above = inbox.linked("above");
        var owner = inbox.linked("owner");
        var gone = inbox.linked("gone");
        var developer = inbox.linked("developer");
        var below = inbox.linked("below");
        var group = namespace("g");
        var project = namespace("g/p");
        var deeper = namespace("g/p/q");
        inbox.db.useTransaction(tx -> {
            members.join(tx, group, above.id(), 50, NOON);
            members.join(tx, project, owner.id(), 40, NOON);
            members.join(tx, project, above.id(), 40, NOON);
            members.join(tx, project, developer.id(), 30, NOON);
            members.join(tx, project, gone.id(), 50, NOON);
            members.leave(tx, project, gone.id(), NOON);
            members.join(tx, deeper, below.id(), 50, NOON);
        });
        List<ExternalPerson> owners = inbox.db.read(reads -> members.owners(reads, project));
        assertThat(owners).extracting(ExternalPerson::username).containsExactlyInAnyOrder("above", "owner");
    }

    @Test
    void itemsGoAlsoWhereTheGroupWasKnownByItsIdBeforeItsProject() {
        try (var gitlab = new TestGitlab()) {
            gitlab.person(2, "ann");
            var member = """
                    {'event_name': 'user_%s_group', 'group_path': 'crew', 'group_id': 60, 'group_access': 'Guest',
                     'user_id': 2, 'user_username': 'ann', 'updated_at': '2026-05-05T10:0%d:00Z'}
                    """;
            gitlab.hook(member.formatted("add_to", 0));
            gitlab.hook("""
                    {'object_kind': 'issue', 'project': {'id': 9, 'path_with_namespace': 'crew/app'},
                     'object_attributes': {'id': 1, 'title': 'Leak', 'action': 'open', 'state': 'opened'},
                     'assignees': [{'username': 'ann'}]}
                    """);
            assertThat(gitlab.items("ann")).containsExactly("assigned issue 1 todo");
            gitlab.hook(member.formatted("remove_from", 5));
            gitlab.inbox.accounts.clock.advance(HOUR.plusSeconds(1));
            new AccessRevocation(gitlab.inbox.db, gitlab.inbox.accounts.clock, gitlab.inbox.silent).run();
            assertThat(gitlab.items("ann")).isEmpty();
        }
    }

    @Test
    void whoLeftLongBeforeTwoPartsOfAGroupWereFoundToBeOneLosesTheItemsOfBoth() {
        var ann = inbox.linked("ann");
        var bob = inbox.linked("bob");
        for (var path : List.of("north/crew/app", "south/crew/app")) {
            assign(ann, path);
            assign(bob, path);
        }
        inbox.db.useTransaction(tx -> {
            var group = inbox.namespaces.named(tx, GITLAB, "group:60", "crew").id();
            members.leave(tx, group, ann.id(), NOON);
            members.refuse(tx, group, bob.id(), NOON);
        });
        inbox.accounts.clock.advance(HOUR.plusSeconds(1));
        loss.run();
        assertThat(places(ann)).as("nobody knows which of the two it is").hasSize(2);
        inbox.db.useTransaction(tx -> inbox.namespaces.at(tx, GITLAB, "north/crew", "group:60", NOON));
        loss.run();
        assertThat(places(ann)).containsExactly("south/crew/app");
        assertThat(places(bob)).as("who never had access is not affected").hasSize(2);
    }

    @Test
    void whoHasLeftGetsNoItemsOfLaterMentions() {
        var ann = inbox.linked("ann");
        joined("a/b", ann, NOON.minusSeconds(5));
        left("a/b", ann, NOON);
        inbox.accounts.clock.advance(HOUR);
        loss.run();
        for (var action : List.of(Action.MENTIONED, Action.DIRECTLY_ADDRESSED, Action.ASSIGNED)) {
            inbox.notifyPeople(
                    NotificationRequest.of(
                            inbox.issue("a/b/" + action.text().replace('_', '-'), action.text()),
                            action,
                            NotificationAuthor.NOBODY,
                            NOON.plusSeconds(10)),
                    ann);
        }
        assertThat(places(ann)).as("who is assigned must be back").containsExactly("a/b/assigned");
    }
}
