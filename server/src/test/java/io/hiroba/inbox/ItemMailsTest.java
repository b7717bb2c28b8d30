package io.hiroba.inbox;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ConnectionId;
import io.hiroba.inbox.fanout.CreatedNotification;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.ItemListener;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Notifier;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.inbox.fanout.ResourceDetails;
import io.hiroba.inbox.fanout.ResourceSnapshot;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.web.Templates;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@SuppressWarnings("NullAway.Init") // JUnit makes the folder before any test
class ItemMailsTest {

    private static final Site SITE = new Site("square.example", "https://square.example");

    @TempDir
    private static Path folder;

    private final TestInbox inbox = new TestInbox();
    private final Mailer mailer =
            new Mailer(inbox.db, inbox.accounts.lease.ids(), MailConfig.DEFAULT, folder, new SimpleMeterRegistry());
    private final ItemMails letters = letters();
    private final Notifier notifier = new Notifier(
            inbox.accounts.lease.ids(), inbox.accounts.clock, inbox.namespaces, inbox.resources, new Noting());
    private final ExternalPerson ann = inbox.linked("ann");

    private ItemMails letters() {
        return new ItemMails(
                inbox.db,
                inbox.accounts.clock,
                inbox.accounts.users,
                mailer,
                new ItemMailWriter(new Templates(), SITE, new LinkedApprovals()));
    }

    private final class Noting implements ItemListener {

        @Override
        public void created(Tx tx, NotificationRequest request, List<CreatedNotification> items) {
            letters.schedule(tx, items);
        }

        @Override
        public void changed(Tx tx, Collection<UserId> users) {}
    }

    @AfterEach
    void close() {
        mailer.close();
        inbox.close();
    }

    @Test
    void theSuspendedGetNoMail() {
        wantMail(ann);
        notifyPeople(inbox.mergeRequest("group/project", "m1"), Action.REVIEW_REQUESTED, ann);
        inbox.accounts.suspend(user(ann));
        letters.sendDue();
        assertThat(mails()).isEmpty();
    }

    @Test
    void whoWantsMailGetsItAndOthersDoNot() {
        var bob = inbox.linked("bob");
        wantMail(ann);
        notifyPeople(inbox.mergeRequest("group/project", "m1"), Action.REVIEW_REQUESTED, ann, bob);
        letters.sendDue();
        letters.sendDue();
        assertThat(mails()).singleElement().satisfies(mail -> {
            assertThat(mail.to()).isEqualTo(address(ann));
            assertThat(mail.subject()).isEqualTo("Review requested: Title of m1");
            assertThat(mail.body())
                    .contains("https://gitlab.example/m1", "group/project", "https://square.example/inbox/settings");
            assertThat(mail.html())
                    .contains("href=\"https://gitlab.example/m1\"", "href=\"https://square.example/inbox\"");
        });
    }

    @Test
    void theMailOfAnApprovalHoldsTheLinkThatDecides() {
        wantMail(ann);
        notifyPeople(approval(), Action.APPROVAL_REQUIRED, ann);
        letters.sendDue();
        assertThat(mails())
                .singleElement()
                .satisfies(mail -> assertThat(mail.body())
                        .contains("https://square.example/approvals/mail/"
                                + user(ann).hex() + "7"));
    }

    @Test
    void theMailOfAnApprovalTellsItsWorkflowAndTheDeadlineInTheZoneOfItsReader() {
        wantMail(ann);
        inbox.db.useTransaction(tx -> tx.update("UPDATE accounts.users SET time_zone = 'Asia/Tokyo' WHERE id = :id")
                .bind("id", user(ann).value())
                .execute());
        notifyPeople(approval(), Action.APPROVAL_REQUIRED, ann);
        letters.sendDue();
        var time = new Reader(Language.ENGLISH, ZoneId.of("Asia/Tokyo"), TestInbox.NOON).longDateTime(TestInbox.NOON);
        assertThat(mails()).singleElement().satisfies(mail -> {
            assertThat(mail.body())
                    .contains("Order 7\n  Workflow order\n  Decide by " + time + " (Asia/Tokyo)\n  hiroba/approvals");
            assertThat(mail.html()).contains("Workflow order", "Decide by " + time + " (Asia/Tokyo)");
        });
    }

    @Test
    void mailIsInTheLanguageOfItsReader() {
        wantMail(ann);
        inbox.accounts.users.setLanguage(user(ann), Language.JAPANESE);
        notifyPeople(inbox.mergeRequest("group/project", "m1"), Action.REVIEW_REQUESTED, ann);
        letters.sendDue();
        assertThat(mails()).singleElement().satisfies(mail -> {
            assertThat(mail.subject()).isEqualTo("レビュー依頼：Title of m1");
            assertThat(mail.body()).contains("square.exampleの受信トレイに1件の新着があります。", "- レビュー依頼：Title of m1");
            assertThat(mail.html()).contains("<html lang=\"ja\">", "受信トレイを開く");
        });
    }

    @Test
    void itemsThatArriveWhileMailIsLimitedAreSentInOneMail() {
        wantMail(ann);
        notifyPeople(inbox.issue("a/b", "i1"), Action.ASSIGNED, ann);
        letters.sendDue();
        for (int n = 2; n <= 4; n++) {
            notifyPeople(inbox.issue("a/b", "i" + n), Action.ASSIGNED, ann);
        }
        letters.sendDue();
        assertThat(mails()).hasSize(1);
        passTime(Duration.ofMinutes(2));
        letters.sendDue();
        assertThat(mails()).hasSize(2).last().satisfies(mail -> {
            assertThat(mail.subject()).isEqualTo("3 new in your inbox on square.example");
            assertThat(mail.body()).contains("Title of i2", "Title of i3", "Title of i4");
        });
        passTime(Duration.ofMinutes(2));
        letters.sendDue();
        assertThat(mails()).hasSize(2);
    }

    @Test
    void itemsThatAreDoneReadOrDeletedByThenAreNotMailed() {
        wantMail(ann);
        var done = inbox.issue("a/b", "i1");
        var gone = inbox.issue("a/b", "i2");
        notifyPeople(done, Action.ASSIGNED, ann);
        notifyPeople(gone, Action.ASSIGNED, ann);
        inbox.db.useTransaction(tx -> {
            inbox.resolver.recordActivity(tx, done, ann, TestInbox.NOON.plusSeconds(1));
            inbox.resources.delete(tx, gone.id());
        });
        notifyPeople(inbox.issue("a/b", "i1"), Action.ASSIGNED, ann);
        letters.sendDue();
        assertThat(mails()).isEmpty();
        assertThat(waiting()).isZero();
    }

    @Test
    void aHostileTitleIsTextAndNothingElse() {
        wantMail(ann);
        var evil = inbox.db.inTransaction(tx -> inbox.resources
                .upsert(
                        tx,
                        new ResourceSnapshot(
                                TestInbox.GITLAB,
                                inbox.namespaces.at(tx, TestInbox.GITLAB, "a/b").id(),
                                "evil",
                                "<script>alert(1)</script>\r\nBcc: all@square.example\u2028" + "x".repeat(400),
                                "javascript:alert(1)",
                                "opened",
                                TestInbox.NOON,
                                new ResourceDetails.Issue(1L, "issue")))
                .resource());
        notifyPeople(evil, Action.ASSIGNED, ann);
        letters.sendDue();
        assertThat(mails()).singleElement().satisfies(mail -> {
            assertThat(mail.subject())
                    .startsWith("Assigned to you: <script>alert(1)</script> Bcc: ")
                    .hasSizeLessThan(130);
            assertThat(mail.html()).doesNotContain("<script>", "javascript:").contains("&lt;script&gt;alert(1)");
            assertThat(mail.body()).doesNotContain("javascript:");
        });
    }

    @Test
    void twoNodesSendALetterOnce() throws Exception {
        wantMail(ann);
        for (int n = 0; n < 20; n++) {
            notifyPeople(inbox.issue("a/b", "i" + n), Action.ASSIGNED, ann);
        }
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            var both = nodes.invokeAll(List.<Callable<Boolean>>of(this::send, this::send));
            for (var node : both) {
                assertThat(node.get()).isTrue();
            }
        }
        assertThat(mails()).hasSize(1);
        assertThat(waiting()).isZero();
    }

    private boolean send() {
        letters().sendDue();
        return true;
    }

    private void wantMail(ExternalPerson person) {
        inbox.db.useTransaction(
                tx -> tx.update("INSERT INTO inbox.preferences (user_id, delivery) VALUES (:user, 'email')")
                        .bind("user", user(person).value())
                        .execute());
    }

    private void notifyPeople(Resource resource, Action action, ExternalPerson... people) {
        inbox.db.useTransaction(tx -> notifier.notifyPeople(
                tx,
                NotificationRequest.of(resource, action, NotificationAuthor.NOBODY, TestInbox.NOON),
                List.of(people)));
    }

    private static UserId user(ExternalPerson person) {
        return Objects.requireNonNull(person.user());
    }

    private String address(ExternalPerson person) {
        return inbox.accounts.users.profile(user(person)).user().email().value();
    }

    /** Time passes for the clock, and for the mails by moving their moments back. */
    private void passTime(Duration time) {
        inbox.accounts.clock.advance(time);
        inbox.db.useTransaction(
                tx -> tx.update("UPDATE platform.mails SET created_at = created_at - :ms * interval '1 ms'")
                        .bind("ms", time.toMillis())
                        .execute());
    }

    private Resource approval() {
        return inbox.db.inTransaction(tx -> inbox.resources
                .upsert(
                        tx,
                        new ResourceSnapshot(
                                ConnectionId.HIROBA,
                                inbox.namespaces
                                        .at(tx, ConnectionId.HIROBA, "hiroba/approvals")
                                        .id(),
                                Ids.hex(7),
                                "Order 7",
                                "/approvals/" + Ids.hex(7),
                                "opened",
                                TestInbox.NOON,
                                new ResourceDetails.Saga(null)))
                .resource());
    }

    private long waiting() {
        return inbox.db.read(reads -> reads.query("SELECT count(*) FROM inbox.pending_mails")
                .mapTo(Long.class)
                .one());
    }

    private record Mail(String to, String subject, String body, String html) {}

    private List<Mail> mails() {
        return inbox.db.read(
                reads -> reads.query("SELECT to_address, subject, body, html FROM platform.mails ORDER BY id")
                        .map(row -> new Mail(
                                row.getString("to_address"),
                                row.getString("subject"),
                                row.getString("body"),
                                row.getString("html")))
                        .list());
    }

    /** Approvals of one workflow whose links can be told. */
    private static final class LinkedApprovals implements InboxPorts.ApprovalDecisions {

        @Override
        public Map<Long, InboxPorts.ApprovalSummary> find(Reads reads, Collection<Long> approvals) {
            return approvals.stream()
                    .collect(toMap(id -> id, id -> new InboxPorts.ApprovalSummary("order", TestInbox.NOON)));
        }

        @Override
        public InboxPorts.ApprovalInfo info(Caller caller, long approval) {
            throw InboxProblem.notAnApproval();
        }

        @Override
        public void decide(Tx tx, Caller caller, long approval, boolean approve, String comment, JsonNode answers) {
            throw InboxProblem.notAnApproval();
        }

        @Override
        public String mailPath(UserId assignee, long approval) {
            return "/approvals/mail/" + assignee.hex() + approval;
        }
    }
}
