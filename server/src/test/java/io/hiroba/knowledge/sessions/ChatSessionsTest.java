package io.hiroba.knowledge.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.sessions.ChatSessions.Appended;
import io.hiroba.testkit.TestKnowledge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for sessions whoever else is at them. */
class ChatSessionsTest {

    private static final TestKnowledge knowledge = new TestKnowledge();

    private final ChatSessions sessions =
            new ChatSessions(knowledge.db, knowledge.accounts.lease.ids(), knowledge.accounts.clock, knowledge.writer);
    private Caller owner = knowledge.person("Owner");
    private SessionRef ref = ref("thread:1");

    @AfterAll
    static void stop() {
        knowledge.close();
    }

    @BeforeEach
    void somebodyNew() {
        owner = knowledge.person("Owner");
        ref = ref("thread:1");
    }

    private SessionRef ref(String key) {
        return new SessionRef(owner.user(), SessionKey.parse(key));
    }

    private Appended say(SessionRef where, String content) {
        return sessions.append(owner, where, List.of(NewMessage.of(MessageRole.USER, content)), null);
    }

    @Test
    void messagesSaidAtOnceAllLandWithoutGaps() throws InterruptedException, ExecutionException {
        int speakers = 8;
        int each = 25;
        var tasks = IntStream.range(0, speakers)
                .mapToObj(speaker -> (Callable<List<Appended>>) () -> IntStream.range(0, each)
                        .mapToObj(n -> say(ref, speaker + "/" + n))
                        .toList())
                .toList();
        var answers = new ArrayList<Appended>();
        try (var threads = Executors.newFixedThreadPool(speakers)) {
            for (var answer : threads.invokeAll(tasks)) {
                answers.addAll(answer.get());
            }
        }
        assertThat(answers.stream().map(Appended::index))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, speakers * each).boxed().toList());
        assertThat(answers.stream().map(Appended::version)).doesNotHaveDuplicates();
        var read = sessions.read(owner, ref, null, 1000);
        assertThat(read.session().messageCount()).isEqualTo(speakers * each);
        assertThat(read.messages()).hasSize(speakers * each);
        for (var answer : answers) {
            assertThat(read.messages().get(answer.index()).index()).isEqualTo(answer.index());
        }
    }

    @Test
    void ofSeveralWhoExpectTheSameVersionOneSpeaks() throws InterruptedException {
        say(ref, "first");
        int version = sessions.get(owner, ref).version();
        Callable<Appended> task =
                () -> sessions.append(owner, ref, List.of(NewMessage.of(MessageRole.USER, "next")), version);
        try (var threads = Executors.newFixedThreadPool(4)) {
            var spoke = threads.invokeAll(List.of(task, task, task, task)).stream()
                    .filter(answer -> answer.state() == java.util.concurrent.Future.State.SUCCESS)
                    .count();
            assertThat(spoke).isEqualTo(1);
        }
        assertThat(sessions.get(owner, ref).messageCount()).isEqualTo(2);
    }

    @Test
    void aListThatChangesWhileItIsPagedRepeatsNothingAndSkipsNothingThatRested() {
        for (int i = 0; i < 30; i++) {
            // Several of one microsecond: their order is that of their ids.
            if (i % 3 == 0) {
                knowledge.accounts.clock.advance(Duration.ofNanos(1000));
            }
            say(ref("thread:" + i), "x");
        }
        var seen = new ArrayList<String>();
        Optional<SessionPosition> after = Optional.empty();
        while (true) {
            var page = sessions.list(owner, new ChatSessions.Filter(owner.user(), null, null), after, 4);
            if (page.isEmpty()) {
                break;
            }
            page.forEach(session -> seen.add(session.key().text()));
            after = Optional.of(SessionPosition.of(page.getLast()));
            knowledge.accounts.clock.advance(Duration.ofSeconds(1));
            say(ref(page.getFirst().key().text()), "again");
        }
        assertThat(seen).doesNotHaveDuplicates().hasSize(30);
    }
}
