package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AuditEntry;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeSource.Status;
import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.TestKnowledge;
import io.hiroba.testkit.TestSources;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SourcesTest {

    private final TestSources test = new TestSources();
    private final TestKnowledge knowledge = test.knowledge;
    private final Sources sources = test.sources;
    private final Caller ann = knowledge.person("Ann");
    private final Caller bob = knowledge.person("Bob");
    private final Caller admin = knowledge.accounts.caller(knowledge.accounts.admin());

    @BeforeAll
    void begin() {
        assertThat(admin.admin()).isTrue();
    }

    @AfterAll
    void end() {
        test.close();
    }

    private static void refused(String code, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void aTextIsCutUnderItsHeadingsAndWaitsForItsVectors() {
        var source = test.note(ann, false, "# Install\n\nRead this first.\n\n## Linux\n\nUse the package.");
        assertThat(source.title()).isEqualTo("Install");
        assertThat(source.type()).isEqualTo(SourceType.NOTE);
        assertThat(source.progress().status()).isEqualTo(Status.PENDING);
        assertThat(source.progress().waiting()).isEqualTo(2);
        assertThat(source.progress().embedded()).isZero();
        var chunks = sources.chunks(ann, source.id(), -1, 10);
        assertThat(chunks).extracting(SourceChunk::label).containsExactly("Install", "Install › Linux");
        assertThat(chunks.get(1).content()).isEqualTo("Linux\n\nUse the package.");
        assertThat(chunks.get(1).url())
                .isEqualTo("/knowledge/sources/%s?chunk=%s"
                        .formatted(source.id(), chunks.get(1).id()));
        assertThat(sources.chunks(ann, source.id(), 0, 10)).hasSize(1);
        test.embedAll();
        assertThat(sources.get(ann, source.id()).progress().status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void theSameContentIsKeptOnceForEachOwner() {
        var first = sources.add(ann, SourceInput.Text.note("Mine", "The same words."), false);
        var again = sources.add(ann, SourceInput.Text.note("Other title", "The same words."), true);
        assertThat(first.isNew()).isTrue();
        assertThat(again.isNew()).isFalse();
        assertThat(again.source()).isEqualTo(first.source());
        assertThat(sources.add(bob, SourceInput.Text.note("Mine", "The same words."), false)
                        .isNew())
                .isTrue();
    }

    @Test
    void theSameContentAtTheSameTimeIsKeptOnce() throws Exception {
        Callable<Sources.Added> add =
                () -> sources.add(ann, SourceInput.Text.note(null, "Said by many at once."), false);
        try (var pool = Executors.newFixedThreadPool(8)) {
            var added = pool.invokeAll(IntStream.range(0, 8).mapToObj(i -> add).toList());
            var results = new java.util.ArrayList<Sources.Added>();
            for (var each : added) {
                results.add(each.get());
            }
            assertThat(results.stream().filter(Sources.Added::isNew)).hasSize(1);
            assertThat(results.stream().map(one -> one.source().id()).collect(Collectors.toSet()))
                    .hasSize(1);
        }
    }

    @Test
    void whatIsPrivateIsNotThereForOthers() {
        var mine = test.note(ann, false, "Ann's secret");
        refused("knowledge.no-source", () -> sources.get(bob, mine.id()));
        refused("knowledge.no-source", () -> sources.chunks(bob, mine.id(), -1, 10));
        refused("knowledge.no-source", () -> sources.delete(bob, mine.id()));
        refused("knowledge.no-source", () -> sources.setPublic(bob, mine.id(), true));
        refused("knowledge.no-source", () -> sources.replace(bob, mine.id(), SourceInput.Text.note(null, "x")));
        assertThat(sources.get(admin, mine.id()).title()).isEqualTo("Ann's secret");
        assertThat(sources.list(bob, Sources.Filter.ALL, Optional.empty(), 100))
                .extracting(KnowledgeSource::id)
                .doesNotContain(mine.id());
        assertThat(sources.list(admin, Sources.Filter.ALL, Optional.empty(), 100))
                .extracting(KnowledgeSource::id)
                .doesNotContain(mine.id());
    }

    @Test
    void postsAreNotReadByWhomABlockSeparatesFromTheirAuthor() {
        var cleo = knowledge.person("Cleo");
        var dan = knowledge.person("Dan");
        var post = test.note(cleo, true, "Cleo's post");
        var note = test.note(cleo, true, "Cleo's note");
        var chunk = sources.chunks(dan, post.id(), -1, 10).getFirst().id();
        knowledge.db.useTransaction(tx -> {
            tx.update("UPDATE knowledge.knowledge_sources SET type = 'post' WHERE id = :id")
                    .bind("id", post.id().value())
                    .execute();
            tx.update("""
                    INSERT INTO social.user_blocks (blocker_id, blocked_id, created_at) VALUES (:cleo, :dan, now())
                    """)
                    .bind("cleo", cleo.user().value())
                    .bind("dan", dan.user().value())
                    .execute();
        });
        refused("knowledge.no-source", () -> sources.get(dan, post.id()));
        refused("knowledge.no-source", () -> sources.chunks(dan, post.id(), -1, 10));
        assertThat(sources.position(dan, post.id(), chunk)).isEmpty();
        assertThat(sources.list(dan, Sources.Filter.ALL, Optional.empty(), 100))
                .extracting(KnowledgeSource::id)
                .contains(note.id())
                .doesNotContain(post.id());
        for (var reader : List.of(cleo, bob, admin)) {
            assertThat(sources.get(reader, post.id()).title()).isEqualTo("Cleo's post");
            assertThat(sources.position(reader, post.id(), chunk)).contains(0);
            assertThat(sources.list(reader, Sources.Filter.ALL, Optional.empty(), 100))
                    .extracting(KnowledgeSource::id)
                    .contains(post.id());
        }
    }

    @Test
    void whatIsPublicIsReadByAllAndChangedByItsOwnerAndAdmins() {
        var shared = test.note(ann, true, "For everybody");
        assertThat(sources.get(bob, shared.id()).isPublic()).isTrue();
        refused("knowledge.not-yours", () -> sources.delete(bob, shared.id()));
        refused("knowledge.not-yours", () -> sources.change(bob, shared.id(), "Bob's", null));
        refused("knowledge.not-yours", () -> sources.refresh(bob, shared.id()));
        assertThat(sources.setPublic(ann, shared.id(), false).isPublic()).isFalse();
        refused("knowledge.no-source", () -> sources.get(bob, shared.id()));
        sources.delete(admin, shared.id());
        refused("knowledge.no-source", () -> sources.get(ann, shared.id()));
        assertThat(knowledge.accounts.audited(Action.SOURCE_CHANGED).getFirst().after())
                .isEqualTo("{\"isPublic\": false}");
        assertThat(knowledge.accounts.audited(Action.SOURCE_DELETED).getFirst().targetId())
                .isEqualTo(shared.id().hex());
    }

    @Test
    void anAdminWhoReadsWhatIsPrivateIsOnRecordAndNobodyElse() {
        var diary = test.note(ann, false, "Private of Ann");
        var open = test.note(ann, true, "Public of Ann");
        sources.get(ann, diary.id());
        sources.get(admin, open.id());
        assertThat(reads(diary, open)).isEmpty();
        sources.chunks(admin, diary.id(), -1, 10);
        sources.get(admin, diary.id());
        assertThat(reads(diary, open)).singleElement().satisfies(read -> {
            assertThat(read.targetId()).isEqualTo(diary.id().hex());
            assertThat(read.by()).isEqualTo(new AuditLog.Person(admin.user(), "admin"));
            assertThat(read.about()).isEqualTo(new AuditLog.Person(ann.user(), "Ann"));
        });
    }

    private List<AuditEntry> reads(KnowledgeSource... some) {
        var ids = Stream.of(some).map(source -> source.id().hex()).toList();
        return knowledge.accounts.audited(Action.SOURCE_READ).stream()
                .filter(read -> ids.contains(read.targetId()))
                .toList();
    }

    @Test
    void aListHasTheOwnAndThePublicOnesNewestFirst() {
        var cleo = knowledge.person("Cleo");
        var first = test.note(cleo, false, "First of Cleo");
        var second = test.note(bob, true, "Public of Bob");
        var third = test.note(cleo, true, "Second of Cleo");
        var all = sources.list(cleo, Sources.Filter.ALL, Optional.empty(), 3);
        assertThat(all).extracting(KnowledgeSource::id).containsExactly(third.id(), second.id(), first.id());
        assertThat(sources.list(cleo, Sources.Filter.ALL, Optional.of(second.id()), 1))
                .extracting(KnowledgeSource::id)
                .containsExactly(first.id());
        assertThat(sources.list(cleo, new Sources.Filter(null, true), Optional.empty(), 10))
                .extracting(KnowledgeSource::id)
                .containsExactly(third.id(), first.id());
        assertThat(sources.list(cleo, new Sources.Filter(SourceType.WEB_PAGE, true), Optional.empty(), 10))
                .isEmpty();
    }

    @Test
    void otherContentKeepsThePassagesThatStay() {
        var source = test.note(ann, false, "# A\n\nOne.\n\n# B\n\nTwo.\n\n# C\n\nThree.");
        test.embedAll();
        var before = sources.chunks(ann, source.id(), -1, 10);
        var after = sources.replace(
                ann,
                source.id(),
                SourceInput.Text.note(null, "# A\n\nOne.\n\n# B\n\nTwo, but other.\n\n# C\n\nThree."));
        assertThat(after.progress().waiting()).isOne();
        assertThat(after.title()).isEqualTo("A");
        var chunks = sources.chunks(ann, source.id(), -1, 10);
        assertThat(chunks.get(0)).isEqualTo(before.get(0));
        assertThat(chunks.get(2).id()).isEqualTo(before.get(2).id());
        assertThat(chunks.get(2).location().path("char_start").asInt())
                .isGreaterThan(before.get(2).location().path("char_start").asInt());
    }

    @Test
    void contentThatAnotherSourceHasIsAConflict() {
        test.note(ann, false, "Taken already");
        var other = test.note(ann, false, "Something else");
        refused(
                "knowledge.same-content",
                () -> sources.replace(ann, other.id(), SourceInput.Text.note(null, "Taken already")));
    }

    @Test
    void anotherTitleFindsItsPassages() {
        var source = test.note(ann, false, "Nothing of the kind here");
        assertThat(sources.change(ann, source.id(), "Zebra  crossing", null).title())
                .isEqualTo("Zebra crossing");
        assertThat(words(source.id())).contains("zebra").contains("kind");
        refused("knowledge.invalid", () -> sources.change(ann, source.id(), " ", null));
    }

    private String words(SourceId id) {
        return knowledge.db.read(
                reads -> reads.query("SELECT words::text FROM knowledge.knowledge_chunks WHERE source_id = :id")
                        .bind("id", id.value())
                        .mapTo(String.class)
                        .one());
    }

    @Test
    void anAddressIsOneSourceHoweverOftenItIsGiven() {
        var url = "https://example.org/cats";
        test.web.put(url, "<title>Cats</title><main><h2 id=purr>Purr</h2><p>They purr.</main>");
        var first = sources.add(ann, new SourceInput.Url(url), false);
        assertThat(first.source().title()).isEqualTo("Cats");
        assertThat(first.source().type()).isEqualTo(SourceType.WEB_PAGE);
        assertThat(first.source().metadata().path("url").asString()).isEqualTo(url);
        assertThat(sources.chunks(ann, first.source().id(), -1, 1).getFirst().url())
                .isEqualTo(url + "#purr");
        test.web.put(url, "<title>More cats</title><main><h2 id=purr>Purr</h2><p>They purr.<p>And sleep.</main>");
        var again = sources.add(ann, new SourceInput.Url(url), true);
        assertThat(again.isNew()).isFalse();
        assertThat(again.source().id()).isEqualTo(first.source().id());
        assertThat(again.source().title()).isEqualTo("More cats");
        assertThat(again.source().isPublic()).isTrue();
        test.web.put(url, "<title>Dogs</title><p>They bark.");
        assertThat(sources.refresh(ann, first.source().id()).title()).isEqualTo("Dogs");
        var note = test.note(ann, false, "No address");
        refused("knowledge.no-address", () -> sources.refresh(ann, note.id()));
    }

    @Test
    void aTitleThatItsOwnerChoseOutlivesAFetch() {
        var url = "https://example.org/birds";
        test.web.put(url, "<title>Birds</title><p>They sing.");
        var id = sources.add(ann, new SourceInput.Url(url), false).source().id();
        test.duringFetch = () -> sources.change(ann, id, "My birds", null);
        assertThat(sources.refresh(ann, id).title()).isEqualTo("My birds");
        test.duringFetch = () -> {};
        test.web.put(url, "<title>More birds</title><p>They sing loudly.");
        assertThat(sources.refresh(ann, id).title()).isEqualTo("My birds");
        assertThat(sources.add(ann, new SourceInput.Url(url), false).source().title())
                .isEqualTo("My birds");
        assertThat(words(id)).contains("my").contains("loud").doesNotContain("more");
    }

    @Test
    void theNameOfAFileIsCutAndHoldsWhatCanBeStored() {
        var source = sources.add(ann, file("a\0b\ud800" + "c".repeat(300), "Words of a file"), false)
                .source();
        assertThat(source.metadata().path("file_name").asString())
                .startsWith("a b\ufffdc")
                .hasSize(255);
    }

    @Test
    void aFileIsToldByItsContentAndItsName() {
        var csv = file("people.csv", "name,city\nAnn,Rome\nBob,Oslo\n");
        var source = sources.add(ann, csv, false).source();
        assertThat(source.title()).isEqualTo("people.csv");
        assertThat(source.metadata().path("mime_type").asString()).isEqualTo("text/csv");
        assertThat(source.metadata().path("file_size").asInt()).isEqualTo(28);
        assertThat(source.metadata().path("uploaded_by").asString())
                .isEqualTo(ann.user().hex());
        assertThat(sources.chunks(ann, source.id(), -1, 1).getFirst().content())
                .isEqualTo("name | city\nAnn | Rome\nBob | Oslo");
        refused(
                "knowledge.unsupported",
                () -> sources.add(
                        ann, new SourceInput.File(null, "a.exe", null, null, new byte[] {0, 1, 2, 3}), false));
    }

    @Test
    void aFileInAnotherEncodingIsReadAndWhatIsInNoneRefused() {
        var text = "議事録：来週の会議は火曜日の午後三時から始めます。";
        var told = new SourceInput.File(null, "a.txt", "text/plain", null, text.getBytes(Charset.forName("Shift_JIS")));
        var chosen = new SourceInput.File(null, "b.md", null, "EUC-JP", text.getBytes(Charset.forName("EUC-JP")));
        for (var file : List.of(told, chosen)) {
            var source = sources.add(ann, file, false).source();
            assertThat(sources.chunks(ann, source.id(), -1, 1).getFirst().content())
                    .isEqualTo(text);
        }
        var noise = new SourceInput.File(
                null, "a.txt", null, null, "\u009d".repeat(64).getBytes(StandardCharsets.ISO_8859_1));
        refused("knowledge.unknown-encoding", () -> sources.add(ann, noise, false));
        refused("knowledge.invalid", () -> new SourceInput.File(null, "a.txt", null, "klingon", new byte[0]));
    }

    private static SourceInput.File file(String name, String text) {
        return new SourceInput.File(null, name, null, null, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsTooLargeOrEmptyIsRefused() {
        refused("knowledge.nothing-to-read", () -> test.note(ann, false, " \n "));
        refused("knowledge.too-large", () -> test.note(ann, false, "word ".repeat(300_000)));
        refused(
                "knowledge.too-large",
                () -> sources.add(ann, new SourceInput.File(null, "a.txt", null, null, new byte[2 << 20]), false));
        refused(
                "knowledge.invalid",
                () -> sources.add(
                        ann,
                        new SourceInput.Text(null, "x", null, SourceType.NOTE, Map.of("a", "b".repeat(20_000))),
                        false));
        refused(
                "knowledge.invalid",
                () -> sources.add(
                        ann, new SourceInput.Text(null, "x", null, SourceType.DISCORD_SESSION, Map.of()), false));
    }

    @Test
    void whatNoDatabaseCanHoldIsReplaced() {
        var source = test.note(ann, false, "NUL \0 and half \ud83d of a face");
        assertThat(sources.chunks(ann, source.id(), -1, 1).getFirst().content())
                .startsWith("NUL ")
                .endsWith(" of a face")
                .doesNotContain("\0");
    }

    @Test
    void soManyAnHourAreTakenAndNoMore() {
        var dan = knowledge.person("Dan");
        for (int i = 0; i < TestSources.CONFIG.perHour(); i++) {
            sources.admit(dan);
        }
        refused("http.rate-limited", () -> sources.admit(dan));
        for (int i = 0; i < TestSources.CONFIG.perHour(); i++) {
            sources.admitRepeat(dan);
        }
        refused("http.rate-limited", () -> sources.admitRepeat(dan));
        for (int i = 0; i <= TestSources.CONFIG.perHour(); i++) {
            sources.admit(admin);
        }
    }

    @Test
    void thePlaceOfAPassageIsInItsSource() {
        var texts = List.of("First paragraph.", "Second paragraph.");
        var source = test.note(ann, false, String.join("\n\n", texts));
        var place = sources.chunks(ann, source.id(), -1, 1).getFirst().location();
        assertThat(place.path("label").asString()).isEqualTo("Paragraph 1");
        assertThat(place.path("paragraph_index").asInt()).isZero();
        assertThat(place.path("char_start").asInt()).isZero();
        assertThat(place.path("char_end").asInt()).isEqualTo("First paragraph.\n\nSecond paragraph.".length());
    }
}
