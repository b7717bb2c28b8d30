package io.hiroba.knowledge.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.documents.TokenCounter;
import io.hiroba.knowledge.sessions.SessionArchiver.ArchiveOutcome;
import io.hiroba.knowledge.sessions.TestChatSessions.Chunk;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a session becomes knowledge, and what of it. */
@Tag("slow")
class SessionArchiverTest {

    private static final String KEY = "thread:1";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final TestChatSessions chats = new TestChatSessions();

    private Caller owner = chats.knowledge.person("Owner");

    @AfterAll
    static void stop() {
        chats.close();
    }

    @BeforeEach
    void somebodyNew() {
        owner = chats.knowledge.person("Owner");
        // Whatever another test left.
        chats.pass(HOUR.plusSeconds(1));
        chats.archiver.run();
    }

    private static String[] numbered(int from, int end) {
        return IntStream.range(from, end)
                .mapToObj("This is what was said as number %d"::formatted)
                .toArray(String[]::new);
    }

    private Map<ArchiveOutcome, Integer> anHourLater() {
        chats.pass(HOUR.plusSeconds(1));
        return chats.archiver.run();
    }

    @Test
    void aSessionIsArchivedOnceItHasBeenSilentForOverAnHour() {
        chats.say(owner, KEY, numbered(0, 1));
        chats.pass(HOUR.minusMillis(1));
        assertThat(chats.archiver.run()).isEmpty();
        chats.pass(Duration.ofMillis(2));
        assertThat(chats.archiver.run()).containsExactly(Map.entry(ArchiveOutcome.ARCHIVED, 1));
        assertThat(chats.archiver.run()).isEmpty();
        var session = chats.session(owner, KEY);
        assertThat(session.status()).isEqualTo(SessionStatus.ARCHIVED);
        assertThat(session.archived()).isEqualTo(1);
        assertThat(chats.made(owner.user())).hasSize(1);
    }

    @Test
    void chunksAreOfFiveMessagesAndOverlapByTwo() {
        chats.say(owner, KEY, numbered(0, 11));
        anHourLater();
        var made = chats.made(owner.user()).getFirst();
        assertThat(made.chunks())
                .extracting(Chunk::label)
                .containsExactly("Messages #0–#4", "Messages #3–#7", "Messages #6–#10");
        assertThat(made.chunks().get(1).content())
                .startsWith("user: This is what was said as number 3")
                .endsWith("as number 7");
        assertThat(made.metadata().path("message_count").asInt()).isEqualTo(11);
        assertThat(made.metadata().path("origin_session_key").asString()).isEqualTo(KEY);
        assertThat(made.metadata().path("origin_session_id").asString())
                .isEqualTo(chats.session(owner, KEY).id().hex());
    }

    @Test
    void whatIsSaidLaterIsArchivedBehindTheTwoMessagesBeforeIt() {
        chats.say(owner, KEY, numbered(0, 5));
        anHourLater();
        chats.say(owner, KEY, numbered(5, 7));
        assertThat(chats.session(owner, KEY).status()).isEqualTo(SessionStatus.ACTIVE);
        anHourLater();
        var made = chats.made(owner.user());
        assertThat(made)
                .extracting(part -> part.first(), part -> part.end(), part -> part.title())
                .containsExactly(
                        tuple(0, 5, "This is what was said as number 0"),
                        tuple(5, 7, "This is what was said as number 5"));
        assertThat(made.get(1).chunks()).extracting(Chunk::label).containsExactly("Messages #3–#6");
    }

    @Test
    void aSessionThatSaysTooLittleRestsAndWhatItSaidCountsWhenItGoesOn() {
        chats.say(owner, KEY, "x".repeat(29));
        assertThat(anHourLater()).containsExactly(Map.entry(ArchiveOutcome.SKIPPED, 1));
        var session = chats.session(owner, KEY);
        assertThat(session.status()).isEqualTo(SessionStatus.ARCHIVED);
        assertThat(session.archived()).isZero();
        assertThat(chats.made(owner.user())).isEmpty();

        chats.say(owner, KEY, "y");
        assertThat(anHourLater()).containsExactly(Map.entry(ArchiveOutcome.ARCHIVED, 1));
        assertThat(chats.made(owner.user()).getFirst().first()).isZero();
        assertThat(chats.session(owner, KEY).archived()).isEqualTo(2);
    }

    @Test
    void aSessionWithoutAWordOfAUserRests() {
        var ref = TestChatSessions.ref(owner, KEY);
        var alone = NewMessage.of(MessageRole.ASSISTANT, "Is anybody there? I have been waiting for so long.");
        chats.sessions.append(owner, ref, List.of(alone), null);
        assertThat(anHourLater()).containsExactly(Map.entry(ArchiveOutcome.SKIPPED, 1));
        assertThat(chats.session(owner, KEY).archived()).isZero();

        chats.say(owner, KEY, "Yes");
        anHourLater();
        var made = chats.made(owner.user()).getFirst();
        assertThat(made.title()).isEqualTo("Yes");
        assertThat(made.chunks().getFirst().content()).contains("Is anybody there?");
    }

    @Test
    void anEmptySessionRests() {
        chats.sessions.put(
                owner,
                TestChatSessions.ref(owner, KEY),
                new ChatSessions.Draft(SessionType.THREAD, false, DiscordContext.NONE),
                null);
        assertThat(anHourLater()).containsExactly(Map.entry(ArchiveOutcome.SKIPPED, 1));
        assertThat(chats.archiver.run()).isEmpty();
    }

    @Test
    void aPartKnowsWhereItWasSaidAndByWhom() {
        var ref = TestChatSessions.ref(owner, KEY);
        chats.sessions.put(
                owner,
                ref,
                new ChatSessions.Draft(SessionType.THREAD, true, new DiscordContext(10L, 20L, null, 40L)),
                null);
        chats.sessions.append(
                owner,
                ref,
                List.of(
                        new NewMessage(
                                MessageRole.USER,
                                "Where is the key to the\n\n cellar, which I need today? 🗝",
                                "Ann",
                                null,
                                null),
                        new NewMessage(MessageRole.ASSISTANT, "Under the mat.", "Bot", 9007199254740993L, null)),
                null);
        anHourLater();
        var made = chats.made(owner.user()).getFirst();
        assertThat(made.title()).isEqualTo("Where is the key to the cellar, which I need today");
        assertThat(made.isPublic()).isTrue();
        assertThat(made.metadata().path("participants").toString()).isEqualTo("[\"Ann\",\"Bot\"]");
        assertThat(made.metadata().path("channel_id").asString()).isEqualTo("20");
        var chunk = made.chunks().getFirst();
        assertThat(chunk.url()).isEqualTo("https://discord.com/channels/10/20/9007199254740993");
        assertThat(chunk.label()).isEqualTo("Messages #0–#1");
        assertThat(chats.knowledge.accounts.count("""
                        SELECT count(*) FROM knowledge.knowledge_chunks
                        WHERE source_id = %d AND channel_id = 20 AND user_id = 40 AND is_public
                        """.formatted(made.id()))).isEqualTo(1);
    }

    @Test
    void withoutAMessageIdALinkLeadsToTheSessionsPage() {
        chats.say(owner, "mention:é1", numbered(0, 1));
        anHourLater();
        var chunk = chats.made(owner.user()).getFirst().chunks().getFirst();
        assertThat(chunk.url())
                .isEqualTo("/knowledge/sessions/mention%%3A%%C3%%A91?owner=%s#m0"
                        .formatted(owner.user().hex()));
        assertThat(chunk.label()).isEqualTo("Message #0");
    }

    @Test
    void aWindowOfTooManyTokensIsSplit() {
        var archiver = chats.archiver(chats.knowledge.accounts.clock, HOUR, 50);
        chats.say(owner, KEY, "All of this is one long sentence that goes on and on. ".repeat(20));
        chats.pass(HOUR.plusSeconds(1));
        archiver.run();
        var chunks = chats.made(owner.user()).getFirst().chunks();
        assertThat(chunks).hasSizeGreaterThan(3).allMatch(chunk -> TokenCounter.count(chunk.content()) <= 50);
        assertThat(chunks).extracting(Chunk::label).containsOnly("Message #0");
    }

    @Test
    void aLongSessionBecomesSeveralSourcesAndTheLongestSilentComeFirst() {
        for (int i = 0; i < 23; i++) {
            chats.say(owner, KEY, numbered(i * 100, (i + 1) * 100));
        }
        chats.pass(Duration.ofMinutes(1));
        chats.say(owner, "thread:2", numbered(0, 1));
        anHourLater();
        var made = chats.made(owner.user());
        assertThat(made.subList(0, 3))
                .extracting(part -> part.first(), part -> part.end())
                .containsExactly(tuple(0, 1000), tuple(1000, 2000), tuple(2000, 2300));
        assertThat(chats.session(owner, KEY).status()).isEqualTo(SessionStatus.ARCHIVED);
        assertThat(made.getLast().id())
                .as("the later session's")
                .isGreaterThan(made.getFirst().id());
    }

    @Test
    void moreThanABatchAreArchivedInOneRun() {
        for (int i = 0; i < 25; i++) {
            chats.say(owner, "thread:" + i, numbered(i, i + 1));
        }
        assertThat(anHourLater()).containsExactly(Map.entry(ArchiveOutcome.ARCHIVED, 25));
    }

    @Test
    void aSessionThatCannotBeArchivedDoesNotKeepTheOthersFromIt() {
        chats.say(owner, KEY, numbered(0, 1));
        chats.pass(Duration.ofSeconds(1));
        var other = chats.knowledge.person("Other");
        chats.say(other, KEY, numbered(0, 1));
        chats.knowledge.db.useTransaction(
                tx -> tx.update("""
                        ALTER TABLE knowledge.knowledge_sources ADD CONSTRAINT trouble CHECK (owned_by <> %d)
                        """.formatted(owner.user().value())).execute());
        try {
            assertThat(anHourLater())
                    .containsOnly(Map.entry(ArchiveOutcome.FAILED, 1), Map.entry(ArchiveOutcome.ARCHIVED, 1));
            assertThat(chats.session(owner, KEY).archived()).isZero();
            assertThat(chats.session(other, KEY).archived()).isEqualTo(1);
        } finally {
            chats.knowledge.db.useTransaction(
                    tx -> tx.update("ALTER TABLE knowledge.knowledge_sources DROP CONSTRAINT trouble")
                            .execute());
        }
        assertThat(chats.archiver.run()).containsExactly(Map.entry(ArchiveOutcome.ARCHIVED, 1));
    }

    @Test
    void twoNodesArchiveEachSessionOnce() throws InterruptedException, ExecutionException {
        for (int i = 0; i < 40; i++) {
            chats.say(owner, "thread:" + i, numbered(0, 7));
        }
        chats.pass(HOUR.plusSeconds(1));
        var clock = chats.knowledge.accounts.clock;
        Callable<Map<ArchiveOutcome, Integer>> node =
                () -> chats.archiver(clock, HOUR, 4000).run();
        var archived = new ArrayList<Integer>();
        try (var threads = Executors.newFixedThreadPool(2)) {
            for (var run : threads.invokeAll(List.of(node, node))) {
                archived.add(run.get().getOrDefault(ArchiveOutcome.ARCHIVED, 0));
            }
        }
        assertThat(archived.stream().mapToInt(Integer::intValue).sum()).isEqualTo(40);
        assertThat(chats.made(owner.user())).hasSize(40);
    }

    @Test
    void whoMakesASessionPrivateHidesWhatItHasBecome() {
        var ref = TestChatSessions.ref(owner, KEY);
        var isPublic = new ChatSessions.Draft(SessionType.THREAD, true, DiscordContext.NONE);
        chats.sessions.put(owner, ref, isPublic, null);
        chats.say(owner, KEY, numbered(0, 3));
        chats.say(owner, "thread:11", numbered(0, 3));
        anHourLater();
        var made = chats.made(owner.user());
        assertThat(made).extracting(part -> part.isPublic()).containsExactly(true, false);
        chats.sessions.put(owner, ref, new ChatSessions.Draft(SessionType.THREAD, false, DiscordContext.NONE), null);
        assertThat(chats.made(owner.user())).extracting(part -> part.isPublic()).containsOnly(false);
    }

    @Test
    void knowledgeOutlivesItsSession() {
        chats.say(owner, KEY, numbered(0, 3));
        anHourLater();
        chats.sessions.delete(owner, TestChatSessions.ref(owner, KEY), null);
        var orphan = chats.made(owner.user()).getFirst();
        assertThat(orphan.chunks())
                .allMatch(chunk -> chunk.location().path("url").isNull());
        assertThat(chats.knowledge.accounts.count(
                        "SELECT count(*) FROM knowledge.knowledge_sources WHERE id = %d AND uri IS NULL"
                                .formatted(orphan.id())))
                .as("it leads nowhere but to itself")
                .isEqualTo(1);
        chats.say(owner, KEY, numbered(3, 4));
        anHourLater();
        assertThat(chats.made(owner.user())).hasSize(2);
    }

    @Test
    void aCorrectionIsInAllChunksThatHoldTheMessageAndInNoOthers() {
        chats.say(owner, KEY, numbered(0, 8));
        anHourLater();
        chats.say(owner, KEY, numbered(8, 9));
        anHourLater();
        var before = chats.made(owner.user());
        chats.knowledge.db.useTransaction(
                tx -> tx.update("DELETE FROM knowledge.embedding_queue").execute());
        var corrected = chats.corrections().correct(owner, SessionKey.parse(KEY), 7, "It was green, not red", null);
        var after = chats.made(owner.user());
        assertThat(corrected.version()).isEqualTo(chats.session(owner, KEY).version());
        assertThat(after)
                .extracting(part -> part.id())
                .isEqualTo(List.of(before.get(0).id(), before.get(1).id()));
        assertThat(after.get(0).chunks().get(0))
                .isEqualTo(before.get(0).chunks().get(0));
        assertThat(after.stream().flatMap(part -> part.chunks().stream()).map(Chunk::content))
                .noneMatch(text -> text.contains("number 7"))
                .filteredOn(text -> text.contains("green, not red"))
                .as("also where it is the context of the next part")
                .hasSize(2);
        assertThat(queued()).as("and these alone are embedded anew").isEqualTo(2);
        assertThat(chats.knowledge
                        .accounts
                        .audited(Action.CHAT_SESSION_CORRECTED)
                        .toString())
                .doesNotContain("green");
        var titled = chats.corrections().correct(owner, SessionKey.parse(KEY), 0, "A better beginning", null);
        assertThat(chats.made(owner.user()).getFirst().title()).isEqualTo("A better beginning");
        var stale = titled.version() - 1;
        assertRefused("knowledge.version-conflict", owner, 0, stale);
        assertRefused("knowledge.no-message", owner, 9, null);
        assertRefused("knowledge.no-session", chats.knowledge.person("Other"), 0, null);
    }

    private void assertRefused(String code, Caller caller, int index, @Nullable Integer version) {
        assertThatThrownBy(() -> chats.corrections().correct(caller, SessionKey.parse(KEY), index, "No", version))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    private long queued() {
        return chats.knowledge.db.read(
                reads -> reads.query("SELECT count(DISTINCT chunk_id) FROM knowledge.embedding_queue")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void aCorrectionHoldsWhateverTheArchiverDoesAtTheSameTimeAndSoDoesForgetting()
            throws InterruptedException, ExecutionException {
        try (var nodes = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 12; round++) {
                var key = "thread:race" + round;
                chats.say(owner, key, numbered(0, 3));
                boolean forget = round % 2 == 1;
                var archived = nodes.submit(
                        () -> chats.archiver.archive(chats.session(owner, key).id()));
                var corrected = nodes.submit(() -> {
                    if (forget) {
                        chats.corrections().forget(owner, SessionKey.parse(key));
                    } else {
                        chats.corrections().correct(owner, SessionKey.parse(key), 1, "It was green, not red", null);
                    }
                });
                corrected.get();
                try {
                    archived.get();
                } catch (ExecutionException gone) {
                    assertThat(forget).isTrue();
                }
                if (!forget) {
                    chats.archiver.archive(chats.session(owner, key).id());
                }
                assertThat(texts(key))
                        .hasSize(forget ? 0 : 1)
                        .allMatch(text -> text.contains("green, not red") && !text.contains("number 1"));
            }
        }
    }

    private List<String> texts(String key) {
        return chats.made(owner.user()).stream()
                .filter(made ->
                        made.metadata().path("origin_session_key").asString().equals(key))
                .flatMap(made -> made.chunks().stream())
                .map(Chunk::content)
                .toList();
    }
}
