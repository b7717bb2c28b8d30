package io.hiroba.social.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.messages.DirectMessages.MessageDraft;
import io.hiroba.testkit.TestSocial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Private threads through the facade: writers at once, blocks, accounts that are deleted, and messages that expire. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectMessagesTest {

    private final TestSocial social = new TestSocial();
    private final DirectMessageStore store = new DirectMessageStore();

    @AfterAll
    void close() {
        social.close();
    }

    private ThreadId open(Caller caller, Caller... others) {
        var ids = new ArrayList<UserId>();
        for (var other : others) {
            ids.add(other.user());
        }
        return social.db
                .inTransaction(tx -> social.messages.open(tx, caller, ids))
                .thread();
    }

    private DirectMessage send(Caller caller, ThreadId thread, String text) {
        return social.db.inTransaction(tx -> social.messages.send(tx, caller, thread, MessageDraft.of(text)));
    }

    private List<String> texts(Caller reader, ThreadId thread) {
        return social.messages.messages(reader, thread, Optional.empty(), 100).stream()
                .map(DirectMessage::content)
                .toList();
    }

    private static <T> List<T> atOnce(int times, Callable<T> task) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, times)
                    .mapToObj(i -> threads.submit(task))
                    .toList();
            var results = new ArrayList<T>();
            for (var each : running) {
                results.add(each.get());
            }
            return results;
        }
    }

    @Test
    void twoWhoOpenTheirThreadAtOnceHaveOne() throws Exception {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var order = new AtomicInteger();
        var opened = atOnce(8, () -> order.incrementAndGet() % 2 == 0 ? open(ann, bob) : open(bob, ann));
        assertThat(opened).containsOnly(opened.getFirst());
        assertThat(social.messages.thread(ann, opened.getFirst()).members()).hasSize(2);
    }

    @Test
    void messagesThatAreSentAtOnceAreNumberedWithoutGapsAndCounted() throws Exception {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var thread = open(ann, bob);
        atOnce(20, () -> send(ann, thread, "again"));
        assertThat(social.messages.messages(bob, thread, Optional.empty(), 100))
                .extracting(DirectMessage::number)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 20).boxed().toList().reversed());
        assertThat(social.messages.thread(bob, thread).unread()).isEqualTo(20);
        social.messages.read(bob, thread, 15);
        assertThat(social.messages.thread(bob, thread).unread()).isEqualTo(5);
        social.messages.read(bob, thread, 3);
        assertThat(social.messages.thread(bob, thread).unread())
                .as("what was read stays so")
                .isEqualTo(5);
        send(bob, thread, "enough");
        assertThat(social.messages.thread(bob, thread).unread()).isZero();
        assertThat(social.messages.thread(ann, thread).unread()).isEqualTo(1);
    }

    @Test
    void aMessageThatComesWhileSomebodyReadsIsNotLost() throws Exception {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var thread = open(ann, bob);
        for (int i = 1; i <= 10; i++) {
            int until = i;
            send(ann, thread, "number " + i);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var reading = threads.submit(() -> social.messages.read(bob, thread, until));
                var sent = threads.submit(() -> send(ann, thread, "meanwhile"));
                reading.get();
                sent.get();
            }
            assertThat(social.messages.thread(bob, thread).unread()).isPositive();
            social.messages.read(bob, thread, Integer.MAX_VALUE);
            assertThat(social.messages.thread(bob, thread).unread()).isZero();
        }
    }

    @Test
    void anAdminWhoActsAsSomebodyIsRefused() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var thread = open(ann, bob);
        send(ann, thread, "private");
        var acting = new Caller(bob.user(), true, new Caller.ByServer(), ann.user());
        List<Callable<?>> acts = List.of(
                () -> social.messages.threads(acting, Optional.empty(), 10),
                () -> social.messages.thread(acting, thread),
                () -> texts(acting, thread),
                () -> social.messages.search(acting, "private", Optional.empty(), 10),
                () -> send(acting, thread, "as Bob"),
                () -> open(acting, ann));
        assertThat(acts)
                .allSatisfy(act -> assertThatThrownBy(act::call)
                        .isInstanceOfSatisfying(
                                Problem.class,
                                refusal -> assertThat(refusal.code()).isEqualTo("accounts.acting")));
        assertThatThrownBy(() -> social.messages.read(acting, thread, 1)).isInstanceOf(Problem.class);
        assertThat(social.messages.thread(bob, thread).unread()).isEqualTo(1);
    }

    @Test
    void inAGroupPeopleWithABlockBetweenThemDoNotSeeEachOther() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var eve = social.person("Eve");
        var thread = open(ann, bob, eve);
        social.follows.block(bob, eve.user());
        send(eve, thread, "for all but Bob");
        send(bob, thread, "for all but Eve");
        assertThat(texts(ann, thread)).containsExactly("for all but Eve", "for all but Bob");
        assertThat(texts(bob, thread)).containsExactly("for all but Eve");
        assertThat(texts(eve, thread)).containsExactly("for all but Bob");
        assertThat(social.messages.thread(eve, thread).unread()).isZero();
        assertThat(social.messages.search(eve, "eve", Optional.empty(), 10)).isEmpty();
        assertThat(social.messages.search(ann, "eve", Optional.empty(), 10)).hasSize(1);
    }

    @Test
    void anAccountThatIsDeletedTakesItsMessagesAlong() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var thread = open(ann, bob);
        send(ann, thread, "mine");
        send(bob, thread, "his");
        assertThat(social.messages.deleteSome(bob.user(), 100)).isEqualTo(1);
        social.delete(bob.user());
        assertThat(texts(ann, thread)).containsExactly("mine");
        assertThatThrownBy(() -> send(ann, thread, "anybody?"))
                .isInstanceOfSatisfying(
                        Problem.class, refusal -> assertThat(refusal.code()).isEqualTo("social.thread-alone"));
        social.delete(ann.user());
        social.db.useTransaction(tx -> assertThat(store.deleteEmpty(tx, 100)).isPositive());
        long left = social.db.read(reads -> reads.query("SELECT count(*) FROM social.messages WHERE thread_id = :id")
                .bind("id", thread.value())
                .mapTo(Long.class)
                .one());
        assertThat(left).isZero();
    }

    @Test
    void whatGoesWithItsSenderIsUnreadNoLonger() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var eve = social.person("Eve");
        var thread = open(ann, bob, eve);
        send(bob, thread, "his");
        send(eve, thread, "hers");
        social.messages.deleteSome(bob.user(), 100);
        assertThat(social.messages.thread(ann, thread).unread()).isEqualTo(1);
        social.messages.deleteSome(eve.user(), 100);
        assertThat(social.messages.thread(ann, thread).unread()).isZero();
        assertThat(social.messages.unread(ann.user(), 10)).isZero();
    }

    @Test
    void whoHasReadTheLastMessageThatIsThereHasNothingUnread() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var thread = open(ann, bob);
        send(ann, thread, "one");
        var slip = send(ann, thread, "a slip");
        social.messages.delete(ann, thread, slip.id());
        assertThat(social.messages.thread(bob, thread).unread()).isEqualTo(1);
        social.messages.read(bob, thread, 1);
        assertThat(social.messages.thread(bob, thread).unread()).isZero();
    }

    @Test
    void messagesAreDeletedWhenTheyAreOlderThanTheyAreKept() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var thread = open(ann, bob);
        send(ann, thread, "old");
        social.messages.deleteOlder(Ids.lowestAt(Instant.now().minusSeconds(60)), 1000);
        assertThat(texts(bob, thread)).containsExactly("old");
        assertThat(social.messages.thread(bob, thread).unread()).isEqualTo(1);
        social.messages.deleteOlder(Ids.lowestAt(Instant.now().plusSeconds(60)), 1000);
        assertThat(texts(bob, thread)).isEmpty();
        assertThat(social.messages.thread(bob, thread).unread()).isZero();
        assertThat(send(ann, thread, "new").number()).isEqualTo(2);
    }
}
