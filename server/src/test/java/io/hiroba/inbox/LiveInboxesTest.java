package io.hiroba.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.fanout.ExternalPerson;
import io.hiroba.inbox.fanout.NotificationAuthor;
import io.hiroba.inbox.fanout.NotificationRequest;
import io.hiroba.inbox.fanout.Resource;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.LiveSource.Channel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveInboxesTest {

    private static final TestInbox inbox = new TestInbox();
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Not started, so that only explicit polls happen. */
    private final LiveInboxes live = new LiveInboxes(inbox.db, new CommitSignal());

    private final int number = COUNT.incrementAndGet();
    private final ExternalPerson ann = inbox.linked("ann" + number);
    private final ExternalPerson ben = inbox.linked("ben" + number);
    private final Resource issue = inbox.issue("a/b", "i" + number);

    @AfterEach
    void close() {
        live.close();
    }

    @AfterAll
    static void drop() {
        assertThat(inbox.miscounted()).isEmpty();
        inbox.close();
    }

    @Test
    void aNewSubscriberGetsTheCountsAlsoOfAnEmptyInbox() {
        give(ann, Action.ASSIGNED);
        give(ann, Action.MENTIONED);
        set(ann, Action.MENTIONED, "saved = TRUE, read = TRUE");
        assertThat(listen(ann).received)
                .containsExactly("{\"todo\":2,\"snoozed\":0,\"saved\":1,\"done\":0,\"unread\":1}");
        assertThat(listen(ben).todo()).containsExactly(0L);
    }

    @Test
    void aChangeOnThisNodeIsSentAtOnceToAllPagesOfItsReaderAndToNobodyElse() {
        var first = listen(ann);
        var second = listen(ann);
        var other = listen(ben);
        give(ann, Action.ASSIGNED);
        live.changed(Set.of(user(ann)));
        second.awaitTodo(0, 1);
        assertThat(first.todo()).endsWith(0L, 1L);
        assertThat(other.todo()).containsExactly(0L);
    }

    @Test
    void aChangeOnAnotherNodeIsSentOnceByTheNextPoll() {
        var page = listen(ann);
        give(ann, Action.ASSIGNED);
        assertThat(page.todo()).containsExactly(0L);
        live.poll();
        live.poll();
        assertThat(page.todo()).containsExactly(0L, 1L);
    }

    @Test
    void aNodeLooksByItself() {
        try (var node = new LiveInboxes(inbox.db, new CommitSignal()).start()) {
            var page = new Page();
            node.listen(new LiveInboxes.Listener(user(ann), page));
            page.awaitTodo(0);
            give(ann, Action.ASSIGNED);
            page.awaitTodo(0, 1);
        }
    }

    @Test
    void aChangeOnAnotherNodeIsSentEvenIfTheCountsStayTheSame() {
        give(ann, Action.ASSIGNED);
        var page = listen(ann);
        set(ann, Action.ASSIGNED, "state = 2, resolved_by_action = 4, resolved_at = now()");
        set(ann, Action.ASSIGNED, "state = 0, resolved_by_action = NULL, resolved_at = NULL");
        live.poll();
        assertThat(page.todo()).containsExactly(1L, 1L);
        inbox.db.useTransaction(tx -> inbox.resources.delete(tx, issue.id()));
        live.poll();
        assertThat(page.todo()).containsExactly(1L, 1L, 0L);
    }

    @Test
    void aChangeThatShowsInNoCountIsSentOnTheNodeThatMakesIt() {
        give(ann, Action.ASSIGNED);
        var page = listen(ann);
        live.changed(Set.of(user(ann)));
        page.awaitTodo(1, 1);
    }

    @Test
    void aClosedStreamGetsNothingMore() {
        var page = new Page();
        var end = live.listen(new LiveInboxes.Listener(user(ann), page));
        page.awaitTodo(0);
        end.run();
        give(ann, Action.ASSIGNED);
        live.changed(Set.of(user(ann)));
        live.poll();
        assertThat(page.todo()).containsExactly(0L);
    }

    @Test
    void changesAfterTheStopOfANodeAreIgnored() {
        var page = listen(ann);
        live.close();
        give(ann, Action.ASSIGNED);
        live.changed(Set.of(user(ann)));
        assertThat(page.todo()).containsExactly(0L);
    }

    private static UserId user(ExternalPerson person) {
        return Objects.requireNonNull(person.user());
    }

    private void give(ExternalPerson person, Action action) {
        inbox.notifyPeople(NotificationRequest.of(issue, action, NotificationAuthor.NOBODY, TestInbox.NOON), person);
    }

    private static void set(ExternalPerson person, Action action, String columns) {
        inbox.db.useTransaction(
                tx -> tx.update("UPDATE inbox.notifications SET %s WHERE user_id = :user AND action = :action"
                                .formatted(columns))
                        .bind("user", user(person).value())
                        .bind("action", action.code())
                        .execute());
    }

    private Page listen(ExternalPerson reader) {
        var page = new Page();
        live.listen(new LiveInboxes.Listener(user(reader), page));
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !page.received.isEmpty());
        return page;
    }

    /** A channel that records its messages. */
    private static final class Page implements Channel {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @Override
        public void send(String position, String event, String json) {
            assertThat(event).isEqualTo("inbox");
            assertThat(position).matches("[0-9]+");
            received.add(json);
        }

        List<Long> todo() {
            return received.stream()
                    .map(json -> Json.mapper().readTree(json).path("todo").asLong())
                    .toList();
        }

        void awaitTodo(long... expected) {
            var counts = Arrays.stream(expected).boxed().toList();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(todo()).isEqualTo(counts));
        }
    }
}
