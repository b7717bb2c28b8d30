package io.hiroba.inbox.fanout;

import static io.hiroba.inbox.TestInbox.GITLAB;
import static io.hiroba.inbox.TestInbox.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.TestInbox;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FanoutTest {

    private TestInbox inbox;

    @BeforeAll
    void open() {
        inbox = new TestInbox();
    }

    @AfterAll
    void close() {
        assertThat(inbox.miscounted()).isEmpty();
        inbox.close();
    }

    private static NotificationRequest request(Resource resource, Action action) {
        return NotificationRequest.of(resource, action, NotificationAuthor.NOBODY, NOON);
    }

    private List<String> items(ExternalPerson person) {
        return inbox.items(Objects.requireNonNull(person.user()));
    }

    @Test
    void oneItemIsPendingForEachUserResourceAndActionButForMentions() {
        var ann = inbox.linked("ann1");
        var issue = inbox.issue("a/b", "i1");
        for (int i = 0; i < 2; i++) {
            inbox.notifyPeople(request(issue, Action.ASSIGNED), ann);
            inbox.notifyPeople(request(issue, Action.MENTIONED), ann);
        }
        assertThat(items(ann)).containsExactly("1:todo", "2:todo", "2:todo");
    }

    @Test
    void whatANotificationWritesIsPlannedOnce() {
        var ann = Objects.requireNonNull(inbox.linked("ann20").user());
        var issues = IntStream.range(0, 20)
                .mapToObj(i -> inbox.issue("a/b", "planned" + i))
                .toList();
        inbox.db.useTransaction(tx -> {
            long before = replanned(tx);
            issues.forEach(issue -> inbox.notifier.notifyUsers(tx, request(issue, Action.ASSIGNED), List.of(ann)));
            assertThat(replanned(tx)).isEqualTo(before);
        });
        assertThat(inbox.items(ann)).hasSize(issues.size());
    }

    /** How often this connection has planned a statement about items for the values of one call. */
    private static long replanned(Tx tx) {
        return tx.query("""
                        SELECT coalesce(sum(custom_plans), 0) FROM pg_prepared_statements
                        WHERE statement LIKE '%inbox.notifications%'""").mapTo(Long.class).one();
    }

    @Test
    void activityResolvesTheEarlierItemsOfTheActorOnly() {
        var ann = inbox.linked("ann2");
        var bob = inbox.linked("bob2");
        var request = inbox.mergeRequest("a/b", "m2");
        var comment = inbox.comment(request, "n2");
        inbox.notifyPeople(request(request, Action.REVIEW_REQUESTED), ann, bob);
        inbox.notifyPeople(request(comment, Action.MENTIONED), ann);
        inbox.notifyPeople(
                NotificationRequest.of(request, Action.ASSIGNED, NotificationAuthor.NOBODY, NOON.plusSeconds(60)), ann);
        inbox.db.useTransaction(tx -> inbox.resolver.recordActivity(tx, request, ann, NOON.plusSeconds(30)));
        assertThat(items(ann)).containsExactly("9:done", "2:done", "1:todo");
        assertThat(items(bob)).containsExactly("9:todo");
    }

    @Test
    void aLateRequestIsResolvedByActivityAfterItsTime() {
        var ann = inbox.linked("ann3");
        var bob = inbox.linked("bob3");
        var request = inbox.mergeRequest("a/b", "m3");
        inbox.db.useTransaction(tx -> {
            inbox.resolver.recordActivity(tx, request, ann, NOON.plusSeconds(30));
            inbox.resolver.autoResolve(tx, request, Set.of(Action.REVIEW_REQUESTED), NOON.plusSeconds(10));
        });
        inbox.notifyPeople(request(request, Action.ASSIGNED), ann, bob);
        inbox.notifyPeople(request(request, Action.REVIEW_REQUESTED), bob);
        assertThat(items(ann)).containsExactly("1:done");
        assertThat(items(bob)).containsExactly("1:todo", "9:done");
    }

    @Test
    void autoResolveAppliesToAllButThoseWhoKeepResolvedItems() {
        var ann = inbox.linked("ann4");
        var keeper = inbox.linked("keeper4");
        keepResolved(Objects.requireNonNull(keeper.user()));
        var request = inbox.mergeRequest("a/b", "m4");
        inbox.notifyPeople(request(request, Action.REVIEW_REQUESTED), ann, keeper);
        inbox.notifyPeople(request(request, Action.MENTIONED), ann);
        inbox.db.useTransaction(
                tx -> inbox.resolver.autoResolve(tx, request, Set.of(Action.REVIEW_REQUESTED), NOON.plusSeconds(10)));
        assertThat(items(ann)).containsExactly("9:done", "2:todo");
        assertThat(items(keeper)).containsExactly("9:todo");
    }

    private void keepResolved(UserId user) {
        inbox.db.useTransaction(
                tx -> tx.update("INSERT INTO inbox.settings (user_id, keep_resolved) VALUES (:user, TRUE)")
                        .bind("user", user.value())
                        .execute());
    }

    @Test
    void whatIsTakenFromSomebodyIsTakenFromThemOnly() {
        var ann = inbox.linked("ann5");
        var bob = inbox.linked("bob5");
        var issue = inbox.issue("a/b", "i5");
        inbox.notifyPeople(request(issue, Action.ASSIGNED), ann, bob);
        inbox.db.useTransaction(
                tx -> inbox.resolver.withdraw(tx, issue, Action.ASSIGNED, List.of(ann), NOON.plusSeconds(10)));
        assertThat(items(ann)).containsExactly("1:done");
        assertThat(items(bob)).containsExactly("1:todo");
    }

    @Test
    void pendingItemsAreCreatedWhenThePersonGetsAnAccount() {
        var stranger = inbox.stranger("zoe6");
        var issue = inbox.issue("a/b", "i6");
        var other = inbox.issue("a/b", "i6-2");
        var third = inbox.issue("a/b", "i6-3");
        for (var resource : List.of(issue, issue, other, third)) {
            inbox.notifyPeople(request(resource, Action.ASSIGNED), stranger);
        }
        inbox.db.useTransaction(tx -> {
            inbox.resolver.withdraw(tx, other, Action.ASSIGNED, List.of(stranger), NOON.plusSeconds(1));
            inbox.resolver.recordActivity(tx, third, stranger, NOON.plusSeconds(1));
        });
        var zoe = inbox.user("zoe6");
        inbox.db.useTransaction(tx -> inbox.people.link(tx, stranger.id(), zoe));
        assertThat(inbox.items(zoe)).containsExactly("1:todo", "1:done");
    }

    @Test
    void somebodyIsOnePersonHoweverTheyAreDescribed() {
        var byName = inbox.stranger("kim7");
        var issue = inbox.issue("a/b", "i7");
        inbox.notifyPeople(request(issue, Action.ASSIGNED), byName);
        var byNumber = inbox.db.inTransaction(
                tx -> inbox.people.of(tx, GITLAB, new PersonDescription("4711", null, null, "Kim", null)));
        assertThat(byNumber.id()).isNotEqualTo(byName.id());
        var both = inbox.db.inTransaction(
                tx -> inbox.people.of(tx, GITLAB, new PersonDescription("4711", "kim7", "[REDACTED]", "Kim", null)));
        assertThat(both.id()).isEqualTo(byNumber.id());
        var kim = inbox.user("kim7");
        inbox.db.useTransaction(tx -> inbox.people.link(tx, both.id(), kim));
        assertThat(inbox.items(kim)).containsExactly("1:todo");
    }

    @Test
    void aNameThatPassesToAnotherLeavesTheFirstWithoutIt() {
        var first = inbox.db.inTransaction(
                tx -> inbox.people.of(tx, GITLAB, new PersonDescription("81", "lee8", null, null, null)));
        var second = inbox.db.inTransaction(
                tx -> inbox.people.of(tx, GITLAB, new PersonDescription("82", "lee8", null, null, null)));
        assertThat(second.id()).isNotEqualTo(first.id());
    }

    @Test
    void anItemGoesWithItsResourceAndWithItsAccount() {
        var ann = inbox.linked("ann9");
        var issue = inbox.issue("a/b", "i9");
        var comment = inbox.comment(issue, "n9");
        var stays = inbox.issue("a/b", "i9-2");
        inbox.notifyPeople(request(issue, Action.ASSIGNED), ann);
        inbox.notifyPeople(request(comment, Action.MENTIONED), ann);
        inbox.notifyPeople(request(stays, Action.ASSIGNED), ann);
        inbox.db.useTransaction(tx -> inbox.resources.delete(tx, issue.id()));
        assertThat(items(ann)).containsExactly("1:todo");
        var user = Objects.requireNonNull(ann.user());
        inbox.accounts.users.delete(inbox.accounts.caller(user), user);
        assertThat(inbox.items(user)).isEmpty();
        assertThat(inbox.miscounted()).isEmpty();
    }

    @Test
    void anItemWithoutAResourceOrWithTheWrongKindOfLinkIsRefusedByTheDatabase() {
        var ann = inbox.user("ann10");
        var issue = inbox.issue("a/b", "i10");
        var request = inbox.mergeRequest("a/b", "m10");
        var insert = """
                INSERT INTO inbox.notifications (id, user_id, namespace_id, action, resource_type, resource_id, happened_at)
                VALUES (:id, :user, :namespace, 1, :type, :resource, now())
                """;
        assertThatThrownBy(() -> inbox.db.useTransaction(tx -> tx.update(insert)
                        .bind("id", 1001)
                        .bind("user", ann.value())
                        .bind("namespace", issue.namespace().value())
                        .bind("type", 1)
                        .bind("resource", issue.id().value())
                        .execute()))
                .hasStackTraceContaining("exactly one resource");
        assertThatThrownBy(() -> inbox.db.useTransaction(tx -> tx.update("""
                                WITH made AS (%s RETURNING id, user_id, namespace_id, resource_id), right_one AS (
                                    INSERT INTO inbox.issue_notifications
                                        (notification_id, user_id, namespace_id, resource_id)
                                    SELECT id, user_id, namespace_id, resource_id FROM made)
                                INSERT INTO inbox.merge_request_notifications
                                    (notification_id, user_id, namespace_id, resource_id)
                                SELECT id, user_id, namespace_id, :other FROM made
                                """.formatted(insert))
                        .bind("id", 1002)
                        .bind("user", ann.value())
                        .bind("namespace", issue.namespace().value())
                        .bind("type", 1)
                        .bind("resource", issue.id().value())
                        .bind("other", request.id().value())
                        .execute()))
                .hasStackTraceContaining("violates foreign key constraint");
    }

    @Test
    void anOlderSnapshotThatArrivesLaterChangesNothing() {
        var issue = inbox.issue("a/b", "i11");
        var told = inbox.db.inTransaction(tx -> inbox.resources.upsert(
                tx,
                new ResourceSnapshot(
                        GITLAB,
                        issue.namespace(),
                        "i11",
                        "An old title",
                        null,
                        "closed",
                        Instant.EPOCH,
                        new ResourceDetails.Issue(1L, "issue"))));
        assertThat(told.newest()).isFalse();
        assertThat(told.resource().state()).isEqualTo("opened");
    }

    @Test
    void aRequestConcurrentWithAClosureIsResolvedAfterIt() {
        var ann = inbox.linked("ann20");
        var issue = inbox.issue("a/b", "i20");
        var comment = inbox.comment(issue, "n20");
        for (var asked : List.of(issue, comment)) {
            var told = new CompletableFuture<Void>();
            inbox.db.useTransaction(tx -> {
                inbox.resolver.recordActivity(tx, issue, ann, NOON.plusSeconds(10));
                inbox.resolver.autoResolve(tx, issue, Set.of(Action.ASSIGNED), NOON.plusSeconds(10));
                Thread.ofVirtual().start(() -> {
                    inbox.notifyPeople(request(asked, Action.ASSIGNED), ann);
                    told.complete(null);
                });
                Awaitility.await().until(() -> told.isDone() || waitingForLocks() > 0);
            });
            told.join();
        }
        assertThat(items(ann)).containsExactly("1:done", "1:done");
    }

    private int waitingForLocks() {
        return inbox.accounts.count("""
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """);
    }

    @Test
    void aRestoredItemStaysUntilTheNextAutoResolution() {
        var ann = inbox.linked("ann21");
        var issue = inbox.issue("a/b", "i21");
        inbox.notifyPeople(request(issue, Action.ASSIGNED), ann);
        close(issue, 10);
        assertThat(items(ann)).containsExactly("1:done");
        inbox.db.useTransaction(tx -> tx.update("""
                        UPDATE inbox.notifications SET state = 0, resolved_by_action = NULL, resolved_at = NULL
                        WHERE user_id = :user
                        """)
                .bind("user", Objects.requireNonNull(ann.user()).value())
                .execute());
        close(issue, 10);
        close(issue, 5);
        close(issue, 60);
        assertThat(items(ann)).as("it is not closed anew").containsExactly("1:todo");
        inbox.notifyPeople(
                NotificationRequest.of(issue, Action.ASSIGNED, NotificationAuthor.NOBODY, NOON.plusSeconds(70)), ann);
        close(issue, 80);
        assertThat(items(ann)).containsExactly("1:done");
    }

    private void close(Resource issue, int second) {
        inbox.db.useTransaction(
                tx -> inbox.resolver.autoResolve(tx, issue, Set.of(Action.ASSIGNED), NOON.plusSeconds(second)));
    }

    @Test
    void aRepeatedRequestHasTheSameTimeWhateverTheClockResolution() {
        var issue = inbox.issue("a/b", "i22");
        var at = NOON.plusNanos(1_999);
        assertThat(NotificationRequest.of(issue, Action.ASSIGNED, NotificationAuthor.NOBODY, at)
                        .at())
                .isEqualTo(NOON.plusNanos(1_000));
    }
}
