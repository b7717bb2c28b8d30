package io.hiroba.knowledge.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that go on while two nodes archive them: whatever comes at once, nothing is lost and nothing is doubled. */
class SessionArchiverChaosTest {

    private static final int SESSIONS = 6;
    private static final int SPEAKERS = 3;
    private static final int SPEECHES = 60;
    private static final TestChatSessions chats = new TestChatSessions();

    private final Clock clock = Clock.systemUTC();
    private final ChatSessions sessions = chats.sessions(clock);

    @AfterAll
    static void stop() {
        chats.close();
    }

    private SessionArchiver node() {
        return chats.archiver(clock, Duration.ZERO, 4000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyMessageBelowTheIndexIsNewInExactlyOneSource(long seed) throws InterruptedException, ExecutionException {
        var owner = chats.knowledge.person("Owner");
        var isOver = new AtomicBoolean();
        var speakers = IntStream.range(0, SPEAKERS)
                .mapToObj(n -> (Callable<Boolean>) () -> speak(owner, new Random(seed * 100 + n)))
                .toList();
        Callable<Boolean> archiving = () -> {
            var node = node();
            while (!isOver.get()) {
                node.run();
            }
            return true;
        };
        Callable<Boolean> asking = () -> {
            var random = new Random(seed);
            while (!isOver.get()) {
                archiveNow(owner, random.nextInt(SESSIONS));
            }
            return true;
        };
        try (var threads = Executors.newFixedThreadPool(SPEAKERS + 3)) {
            var archivers = List.of(threads.submit(archiving), threads.submit(archiving), threads.submit(asking));
            for (var speaker : threads.invokeAll(speakers)) {
                speaker.get();
            }
            isOver.set(true);
            for (var archiver : archivers) {
                archiver.get();
            }
        }
        node().run();
        for (int i = 0; i < SESSIONS; i++) {
            requireExact(owner, key(i));
        }
    }

    private static String key(int number) {
        return "thread:" + number;
    }

    private boolean speak(Caller owner, Random random) {
        for (int i = 0; i < SPEECHES; i++) {
            var ref = TestChatSessions.ref(owner, key(random.nextInt(SESSIONS)));
            var said = IntStream.range(0, 1 + random.nextInt(4))
                    .mapToObj(n -> NewMessage.of(
                            random.nextInt(3) == 0 ? MessageRole.ASSISTANT : MessageRole.USER,
                            "w".repeat(1 + random.nextInt(40))))
                    .toList();
            sessions.append(owner, ref, said, null);
            if (random.nextInt(10) == 0) {
                var place = new DiscordContext(1L, 2L, null, random.nextLong(1000));
                sessions.put(owner, ref, new ChatSessions.Draft(SessionType.THREAD, random.nextBoolean(), place), null);
            }
        }
        return true;
    }

    private void archiveNow(Caller owner, int number) {
        try {
            node().archive(sessions.own(owner, TestChatSessions.ref(owner, key(number)))
                    .id());
        } catch (KnowledgeProblem notThereYet) {
            assertThat(notThereYet.code()).isEqualTo("knowledge.no-session");
        }
    }

    private void requireExact(Caller owner, String key) {
        var transcript = sessions.read(owner, TestChatSessions.ref(owner, key), null, 10_000);
        var session = transcript.session();
        assertThat(transcript.messages())
                .extracting(ChatMessage::index)
                .containsExactlyElementsOf(
                        IntStream.range(0, session.messageCount()).boxed().toList());
        assertThat(session.status()).isEqualTo(SessionStatus.ARCHIVED);
        var made = chats.made(owner.user()).stream()
                .filter(part ->
                        part.metadata().path("origin_session_key").asString().equals(key))
                .toList();
        var fresh = new ArrayList<Integer>();
        for (var part : made) {
            IntStream.range(part.first(), part.end()).forEach(fresh::add);
            assertThat(part.isPublic()).isEqualTo(session.isPublic());
            assertThat(part.chunks().getFirst().location().path("message_index").asInt())
                    .isEqualTo(Math.max(0, part.first() - SessionSource.OVERLAP));
            assertThat(part.chunks()
                            .getLast()
                            .location()
                            .path("last_message_index")
                            .asInt())
                    .isEqualTo(part.end() - 1);
        }
        assertThat(fresh)
                .containsExactlyElementsOf(
                        IntStream.range(0, session.archived()).boxed().toList());
        requireTooLittle(transcript.messages().subList(session.archived(), session.messageCount()));
    }

    private static void requireTooLittle(List<ChatMessage> left) {
        int characters =
                left.stream().mapToInt(message -> message.content().length()).sum();
        assertThat(characters < SessionArchiver.MIN_CHARACTERS
                        || left.stream().noneMatch(message -> message.role() == MessageRole.USER))
                .isTrue();
    }
}
