package io.hiroba.knowledge.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.chunking.Tokens;
import io.hiroba.knowledge.sessions.Archiver.Outcome;
import io.hiroba.knowledge.sessions.Conversations.Chunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a session becomes knowledge, and what of it. */
class ArchiverTest {

    private static final String KEY = "thread:1";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Conversations conversations = new Conversations();

    private Caller owner = conversations.knowledge.person("Owner");

    @AfterAll
    static void stop() {
        conversations.close();
    }

    @BeforeEach
    void somebodyNew() {
        owner = conversations.knowledge.person("Owner");
        // Whatever another test left.
        conversations.pass(HOUR.plusSeconds(1));
        conversations.archiver.run();
    }

    private static String[] numbered(int from, int end) {
        return IntStream.range(from, end)
                .mapToObj("This is what was said as number %d"::formatted)
                .toArray(String[]::new);
    }

    private Map<Outcome, Integer> anHourLater() {
        conversations.pass(HOUR.plusSeconds(1));
        return conversations.archiver.run();
    }

    @Test
    void aSessionIsArchivedOnceItHasBeenSilentForOverAnHour() {
        conversations.say(owner, KEY, numbered(0, 1));
        conversations.pass(HOUR.minusMillis(1));
        assertThat(conversations.archiver.run()).isEmpty();
        conversations.pass(Duration.ofMillis(2));
        assertThat(conversations.archiver.run()).containsExactly(Map.entry(Outcome.ARCHIVED, 1));
        assertThat(conversations.archiver.run()).isEmpty();
        var session = conversations.session(owner, KEY);
        assertThat(session.status()).isEqualTo(SessionStatus.ARCHIVED);
        assertThat(session.archived()).isEqualTo(1);
        assertThat(conversations.made(owner.user())).hasSize(1);
    }

    @Test
    void chunksAreOfFiveMessagesAndOverlapByTwo() {
        conversations.say(owner, KEY, numbered(0, 11));
        anHourLater();
        var made = conversations.made(owner.user()).getFirst();
        assertThat(made.chunks())
                .extracting(Chunk::label)
                .containsExactly("Messages #0–#4", "Messages #3–#7", "Messages #6–#10");
        assertThat(made.chunks().get(1).content())
                .startsWith("user: This is what was said as number 3")
                .endsWith("as number 7");
        assertThat(made.metadata().path("message_count").asInt()).isEqualTo(11);
        assertThat(made.metadata().path("origin_session_key").asString()).isEqualTo(KEY);
        assertThat(made.metadata().path("origin_session_id").asString())
                .isEqualTo(conversations.session(owner, KEY).id().hex());
    }

    @Test
    void whatIsSaidLaterIsArchivedBehindTheTwoMessagesBeforeIt() {
        conversations.say(owner, KEY, numbered(0, 5));
        anHourLater();
        conversations.say(owner, KEY, numbered(5, 7));
        assertThat(conversations.session(owner, KEY).status()).isEqualTo(SessionStatus.ACTIVE);
        anHourLater();
        var made = conversations.made(owner.user());
        assertThat(made)
                .extracting(part -> part.first(), part -> part.end(), part -> part.title())
                .containsExactly(
                        tuple(0, 5, "This is what was said as number 0"),
                        tuple(5, 7, "This is what was said as number 5"));
        assertThat(made.get(1).chunks()).extracting(Chunk::label).containsExactly("Messages #3–#6");
    }

    @Test
    void aSessionThatSaysTooLittleRestsAndWhatItSaidCountsWhenItGoesOn() {
        conversations.say(owner, KEY, "x".repeat(29));
        assertThat(anHourLater()).containsExactly(Map.entry(Outcome.SKIPPED, 1));
        var session = conversations.session(owner, KEY);
        assertThat(session.status()).isEqualTo(SessionStatus.ARCHIVED);
        assertThat(session.archived()).isZero();
        assertThat(conversations.made(owner.user())).isEmpty();

        conversations.say(owner, KEY, "y");
        assertThat(anHourLater()).containsExactly(Map.entry(Outcome.ARCHIVED, 1));
        assertThat(conversations.made(owner.user()).getFirst().first()).isZero();
        assertThat(conversations.session(owner, KEY).archived()).isEqualTo(2);
    }

    @Test
    void aSessionWithoutAWordOfAUserRests() {
        var ref = Conversations.ref(owner, KEY);
        var alone = NewMessage.of(Role.ASSISTANT, "Is anybody there? I have been waiting for so long.");
        conversations.sessions.append(owner, ref, List.of(alone), null);
        assertThat(anHourLater()).containsExactly(Map.entry(Outcome.SKIPPED, 1));
        assertThat(conversations.session(owner, KEY).archived()).isZero();

        conversations.say(owner, KEY, "Yes");
        anHourLater();
        var made = conversations.made(owner.user()).getFirst();
        assertThat(made.title()).isEqualTo("Yes");
        assertThat(made.chunks().getFirst().content()).contains("Is anybody there?");
    }

    @Test
    void anEmptySessionRests() {
        conversations.sessions.put(
                owner,
                Conversations.ref(owner, KEY),
                new SessionDraft(SessionType.THREAD, false, DiscordPlace.NONE),
                null);
        assertThat(anHourLater()).containsExactly(Map.entry(Outcome.SKIPPED, 1));
        assertThat(conversations.archiver.run()).isEmpty();
    }

    @Test
    void aPartKnowsWhereItWasSaidAndByWhom() {
        var ref = Conversations.ref(owner, KEY);
        conversations.sessions.put(
                owner, ref, new SessionDraft(SessionType.THREAD, true, new DiscordPlace(10L, 20L, null, 40L)), null);
        conversations.sessions.append(
                owner,
                ref,
                List.of(
                        new NewMessage(
                                Role.USER,
                                "Where is the key to the\n\n cellar, which I need today? 🗝",
                                "Ann",
                                null,
                                null),
                        new NewMessage(Role.ASSISTANT, "Under the mat.", "Bot", 9007199254740993L, null)),
                null);
        anHourLater();
        var made = conversations.made(owner.user()).getFirst();
        assertThat(made.title()).isEqualTo("Where is the key to the cellar, which I need today");
        assertThat(made.isPublic()).isTrue();
        assertThat(made.metadata().path("participants").toString()).isEqualTo("[\"Ann\",\"Bot\"]");
        assertThat(made.metadata().path("channel_id").asString()).isEqualTo("20");
        var chunk = made.chunks().getFirst();
        assertThat(chunk.url()).isEqualTo("https://discord.com/channels/10/20/9007199254740993");
        assertThat(chunk.label()).isEqualTo("Messages #0–#1");
        assertThat(conversations.knowledge.accounts.count("""
                        SELECT count(*) FROM knowledge.knowledge_chunks
                        WHERE source_id = %d AND channel_id = 20 AND user_id = 40 AND is_public
                        """.formatted(made.id())))
                .isEqualTo(1);
    }

    @Test
    void withoutAMessageIdALinkLeadsToTheSessionsPage() {
        conversations.say(owner, "mention:é1", numbered(0, 1));
        anHourLater();
        var chunk = conversations.made(owner.user()).getFirst().chunks().getFirst();
        assertThat(chunk.url())
                .isEqualTo("/knowledge/sessions/mention%%3A%%C3%%A91?owner=%s#m0"
                        .formatted(owner.user().hex()));
        assertThat(chunk.label()).isEqualTo("Message #0");
    }

    @Test
    void aWindowOfTooManyTokensIsSplit() {
        var archiver = conversations.archiver(conversations.knowledge.accounts.clock, HOUR, 50);
        conversations.say(owner, KEY, "All of this is one long sentence that goes on and on. ".repeat(20));
        conversations.pass(HOUR.plusSeconds(1));
        archiver.run();
        var chunks = conversations.made(owner.user()).getFirst().chunks();
        assertThat(chunks).hasSizeGreaterThan(3).allMatch(chunk -> Tokens.count(chunk.content()) <= 50);
        assertThat(chunks).extracting(Chunk::label).containsOnly("Message #0");
    }

    @Test
    void aLongSessionBecomesSeveralSourcesAndTheLongestSilentComeFirst() {
        for (int i = 0; i < 23; i++) {
            conversations.say(owner, KEY, numbered(i * 100, (i + 1) * 100));
        }
        conversations.pass(Duration.ofMinutes(1));
        conversations.say(owner, "thread:2", numbered(0, 1));
        anHourLater();
        var made = conversations.made(owner.user());
        assertThat(made.subList(0, 3))
                .extracting(part -> part.first(), part -> part.end())
                .containsExactly(tuple(0, 1000), tuple(1000, 2000), tuple(2000, 2300));
        assertThat(conversations.session(owner, KEY).status()).isEqualTo(SessionStatus.ARCHIVED);
        assertThat(made.getLast().id())
                .as("the later session's")
                .isGreaterThan(made.getFirst().id());
    }

    @Test
    void moreThanABatchAreArchivedInOneRun() {
        for (int i = 0; i < 25; i++) {
            conversations.say(owner, "thread:" + i, numbered(i, i + 1));
        }
        assertThat(anHourLater()).containsExactly(Map.entry(Outcome.ARCHIVED, 25));
    }

    @Test
    void aSessionThatCannotBeArchivedDoesNotKeepTheOthersFromIt() {
        conversations.say(owner, KEY, numbered(0, 1));
        conversations.pass(Duration.ofSeconds(1));
        var other = conversations.knowledge.person("Other");
        conversations.say(other, KEY, numbered(0, 1));
        conversations.knowledge.db.useTransaction(
                tx -> tx.update("""
                        ALTER TABLE knowledge.knowledge_sources ADD CONSTRAINT trouble CHECK (owned_by <> %d)
                        """.formatted(owner.user().value())).execute());
        try {
            assertThat(anHourLater()).containsOnly(Map.entry(Outcome.FAILED, 1), Map.entry(Outcome.ARCHIVED, 1));
            assertThat(conversations.session(owner, KEY).archived()).isZero();
            assertThat(conversations.session(other, KEY).archived()).isEqualTo(1);
        } finally {
            conversations.knowledge.db.useTransaction(
                    tx -> tx.update("ALTER TABLE knowledge.knowledge_sources DROP CONSTRAINT trouble")
                            .execute());
        }
        assertThat(conversations.archiver.run()).containsExactly(Map.entry(Outcome.ARCHIVED, 1));
    }

    @Test
    void twoNodesArchiveEachSessionOnce() throws InterruptedException, ExecutionException {
        for (int i = 0; i < 40; i++) {
            conversations.say(owner, "thread:" + i, numbered(0, 7));
        }
        conversations.pass(HOUR.plusSeconds(1));
        var clock = conversations.knowledge.accounts.clock;
        Callable<Map<Outcome, Integer>> node =
                () -> conversations.archiver(clock, HOUR, 4000).run();
        var archived = new ArrayList<Integer>();
        try (var threads = Executors.newFixedThreadPool(2)) {
            for (var run : threads.invokeAll(List.of(node, node))) {
                archived.add(run.get().getOrDefault(Outcome.ARCHIVED, 0));
            }
        }
        assertThat(archived.stream().mapToInt(Integer::intValue).sum()).isEqualTo(40);
        assertThat(conversations.made(owner.user())).hasSize(40);
    }

    @Test
    void whoMakesASessionPrivateHidesWhatItHasBecome() {
        var ref = Conversations.ref(owner, KEY);
        var isPublic = new SessionDraft(SessionType.THREAD, true, DiscordPlace.NONE);
        conversations.sessions.put(owner, ref, isPublic, null);
        conversations.say(owner, KEY, numbered(0, 3));
        conversations.say(owner, "thread:11", numbered(0, 3));
        anHourLater();
        var made = conversations.made(owner.user());
        assertThat(made).extracting(part -> part.isPublic()).containsExactly(true, false);
        conversations.sessions.put(owner, ref, new SessionDraft(SessionType.THREAD, false, DiscordPlace.NONE), null);
        assertThat(conversations.made(owner.user()))
                .extracting(part -> part.isPublic())
                .containsOnly(false);
    }

    @Test
    void knowledgeOutlivesItsSession() {
        conversations.say(owner, KEY, numbered(0, 3));
        anHourLater();
        conversations.sessions.delete(owner, Conversations.ref(owner, KEY), null);
        var orphan = conversations.made(owner.user()).getFirst();
        assertThat(orphan.chunks())
                .allMatch(chunk -> chunk.location().path("url").isNull());
        assertThat(conversations.knowledge.accounts.count(
                        "SELECT count(*) FROM knowledge.knowledge_sources WHERE id = %d AND uri IS NULL"
                                .formatted(orphan.id())))
                .as("it leads nowhere but to itself")
                .isEqualTo(1);
        conversations.say(owner, KEY, numbered(3, 4));
        anHourLater();
        assertThat(conversations.made(owner.user())).hasSize(2);
    }
}
