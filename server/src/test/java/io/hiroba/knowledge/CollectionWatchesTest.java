package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.CollectionWatches.WatchKind;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.knowledge.documents.FetchedPage;
import io.hiroba.knowledge.documents.GitFetcher;
import io.hiroba.knowledge.documents.PageFetcher;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.Lazy;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestKnowledge;
import io.hiroba.testkit.TestSources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watched addresses and folders. */
class CollectionWatchesTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final String URL = "https://example.org/handbook";

    @TempDir
    Path root;

    private final TestSources test = new TestSources();
    private final TestKnowledge knowledge = test.knowledge;
    private final Map<String, String> web = new ConcurrentHashMap<>();
    private final WakeSignal due = new WakeSignal();
    private final GitFetcher repositories = new GitFetcher(ByteSize.parse("100KB"), Duration.ofSeconds(20), true);
    private Runnable duringFetch = () -> {};
    private final Caller manager = knowledge.person("Manager");
    private final Caller admin = knowledge.accounts.caller(knowledge.accounts.admin());
    private KnowledgeConfig.CollectionsConfig config = config(List.of());
    private final KnowledgeCollections collections = new KnowledgeCollections(
            knowledge.db, knowledge.accounts.lease.ids(), knowledge.accounts.clock, knowledge.writer, config);
    private CollectionId team = new CollectionId(0);

    private static KnowledgeConfig.CollectionsConfig config(List<String> folders) {
        return new KnowledgeConfig.CollectionsConfig(
                10, 10, 2, Duration.ofMinutes(5), 3, ByteSize.parse("100KB"), folders);
    }

    @BeforeEach
    void begin() throws IOException {
        config = config(List.of(Files.createDirectory(root.resolve("allowed")).toString()));
        team = collections.create(manager, "Team", null, Visibility.SHARED).id();
    }

    @AfterEach
    void end() {
        repositories.close();
        test.close();
    }

    private WatchedFolders folders() {
        return new WatchedFolders(config.folders(), config.maxFiles(), ByteSize.parse("64KB"));
    }

    private CollectionWatches watches() {
        return new CollectionWatches(
                knowledge.db, knowledge.accounts.lease.ids(), knowledge.accounts.clock, config, folders(), due);
    }

    private WatchWorker worker() {
        var fetcher = new PageFetcher() {
            @Override
            public FetchedPage fetch(String url) {
                duringFetch.run();
                var html = web.getOrDefault(url, "").getBytes(StandardCharsets.UTF_8);
                return new FetchedPage(new FetchedPage.Found(url, url, "page"), "text/html", "utf-8", html);
            }

            @Override
            public Look look(String url, String validators) {
                return web.containsKey(url) ? new Look(fetch(url), false) : new Look(null, true);
            }
        };
        var intake = new SourceIngestion(TestSources.CONFIG, fetcher, knowledge.accounts.clock);
        return new WatchWorker(
                knowledge.db,
                knowledge.accounts.clock,
                knowledge.writer,
                new WatchedPlace(fetcher, Lazy.of(() -> repositories), intake, folders()),
                due);
    }

    private List<KnowledgeSource> sources() {
        return test.sources.list(manager, new Sources.Filter(null, false, team), Optional.empty(), 50);
    }

    private String text(KnowledgeSource source) {
        return test.sources.chunks(manager, source.id(), -1, 10).getFirst().content();
    }

    private Watch only() {
        return watches().list(manager, team).getFirst();
    }

    private void lookLater() {
        knowledge.accounts.clock.advance(HOUR.multipliedBy(2));
        worker().step();
    }

    private static void refused(String code, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void aPageIsReplacedInPlaceWhenItChangesAndDeletedAfterASecondLook() {
        web.put(URL, "<h1>Handbook</h1><p>First words.");
        watches().add(manager, team, WatchKind.URL, URL, null, HOUR);
        var worker = worker();
        assertThat(worker.step()).isTrue();
        assertThat(worker.step()).isFalse();
        var made = sources().getFirst();
        assertThat(text(made)).contains("First words");
        assertThat(made.owner()).isEqualTo(manager.user());
        lookLater();
        assertThat(sources()).extracting(KnowledgeSource::updatedAt).containsExactly(made.updatedAt());
        web.put(URL, "<h1>Handbook</h1><p>Other words.");
        lookLater();
        assertThat(sources()).extracting(KnowledgeSource::id).containsExactly(made.id());
        assertThat(text(sources().getFirst())).contains("Other words");
        web.clear();
        lookLater();
        assertThat(sources()).hasSize(1);
        lookLater();
        assertThat(sources()).isEmpty();
        web.put(URL, "<h1>Handbook</h1><p>Back again.");
        lookLater();
        assertThat(sources()).hasSize(1);
    }

    @Test
    void aFailureIsShownAndTriedLaterAndLater() {
        web.put(URL, "");
        watches().add(manager, team, WatchKind.URL, URL, null, HOUR);
        worker().step();
        assertThat(only().problem().in(Language.ENGLISH)).contains("no text");
        assertThat(only().failures()).isOne();
        lookLater();
        assertThat(only().failures()).isEqualTo(2);
        knowledge.accounts.clock.advance(HOUR);
        assertThat(worker().step()).isFalse();
        web.put(URL, "<p>At last.");
        knowledge.accounts.clock.advance(HOUR);
        assertThat(worker().step()).isTrue();
        assertThat(only().problem()).isNull();
        assertThat(only().failures()).isZero();
    }

    @Test
    void aNodeThatWasTakenForDeadWritesNothing() throws Exception {
        web.put(URL, "<p>Once.");
        watches().add(manager, team, WatchKind.URL, URL, null, HOUR);
        var began = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        duringFetch = () -> {
            began.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        var sleeper = worker();
        try (var pool = Executors.newSingleThreadExecutor()) {
            var asleep = pool.submit(sleeper::step);
            began.await();
            duringFetch = () -> {};
            assertThat(worker().step()).as("while it is claimed").isFalse();
            lookLater();
            var made = sources();
            assertThat(made).hasSize(1);
            web.put(URL, "<p>Twice.");
            go.countDown();
            asleep.get();
            assertThat(sources()).isEqualTo(made);
            assertThat(only().problem()).isNull();
        }
    }

    @Test
    void filesOfAnAllowedFolderBecomeSources() throws IOException {
        var folder = Files.createDirectory(root.resolve("allowed/docs"));
        Files.writeString(folder.resolve("one.md"), "# One\n\nThe first file.");
        Files.writeString(folder.resolve(".secret.md"), "# Hidden");
        Files.writeString(root.resolve("outside.md"), "# Outside");
        Files.createSymbolicLink(folder.resolve("link.md"), root.resolve("outside.md"));
        Files.write(folder.resolve("broken.pdf"), new byte[] {1, 2, 3});
        var adding = watches();
        refused(
                "knowledge.folders-admin",
                () -> adding.add(manager, team, WatchKind.FOLDER, folder.toString(), null, HOUR));
        refused("knowledge.invalid", () -> adding.add(admin, team, WatchKind.FOLDER, root.toString(), null, HOUR));
        refused("knowledge.invalid", () -> adding.add(admin, team, WatchKind.FOLDER, folder + "/../..", null, HOUR));
        adding.add(admin, team, WatchKind.FOLDER, folder.toString(), null, HOUR);
        worker().step();
        assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("One");
        Files.writeString(folder.resolve("two.md"), "# Two\n\nThe second file.");
        lookLater();
        assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("Two", "One");
        // What somebody deleted comes back when it changes, and not before.
        test.sources.delete(manager, sources().getLast().id());
        lookLater();
        assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("Two");
        Files.writeString(folder.resolve("one.md"), "# One\n\nAnother first file.");
        lookLater();
        assertThat(sources()).hasSize(2);
        for (var file : List.of("one.md", "two.md", "broken.pdf")) {
            Files.delete(folder.resolve(file));
        }
        lookLater();
        lookLater();
        assertThat(sources()).as("a folder that is not mounted looks empty").hasSize(2);
        assertThat(only().problem().in(Language.ENGLISH)).contains("empty");
        Files.writeString(folder.resolve("three.md"), "# Three");
        lookLater();
        lookLater();
        assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("Three");
    }

    @Test
    void aLinkThatTakesThePlaceOfAFolderIsNotFollowed() throws IOException {
        var folder = Files.createDirectories(root.resolve("allowed/docs/sub"));
        Files.writeString(folder.resolve("one.md"), "# One");
        var outside = Files.createDirectory(root.resolve("outside"));
        Files.writeString(outside.resolve("one.md"), "# Secret");
        var listed = folders()
                .list(root.resolve("allowed/docs").toString(), "", (path, bytes) -> {
                    throw new AssertionError();
                })
                .entries()
                .getFirst();
        assertThat(listed.content().bytes()).asString().isEqualTo("# One");
        Files.delete(folder.resolve("one.md"));
        Files.delete(folder);
        Files.createSymbolicLink(folder, outside);
        assertThatThrownBy(() -> listed.content().bytes()).isInstanceOf(IOException.class);
    }

    @Test
    void whatCannotBeReadIsNotMissing() throws IOException {
        var folder = root.resolve("allowed/docs");
        var deep = folder.resolve("sub").resolve(longPath(8));
        Files.writeString(Files.createDirectories(deep).resolve("two.md"), "# Two");
        Files.writeString(folder.resolve("one.md"), "# One");
        watches().add(admin, team, WatchKind.FOLDER, folder.toString(), null, HOUR);
        worker().step();
        assertThat(sources()).hasSize(2);
        // Who may read everything cannot read a path that is longer than the system takes.
        var moved = Files.createDirectories(root.resolve("allowed").resolve(longPath(10)))
                .resolve("docs");
        Files.move(folder, moved);
        Files.createSymbolicLink(folder, moved);
        try {
            Files.delete(moved.resolve("one.md"));
            lookLater();
            lookLater();
            lookLater();
            assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("Two");
            assertThat(only().problem().in(Language.ENGLISH))
                    .startsWith("1 file or folder could not be read")
                    .contains("sub");
            assertThat(only().failures()).isZero();
        } finally {
            Files.delete(folder);
            Files.move(moved, folder);
        }
        lookLater();
        assertThat(sources()).hasSize(1);
        assertThat(only().problem()).isNull();
    }

    private static String longPath(int folders) {
        var random = new Random(7);
        return IntStream.range(0, folders)
                .mapToObj(i -> random.ints(230, 'a', 'z' + 1)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("/"));
    }

    @Test
    void endingsAndPatternsAreTheSameInUpperAndLowerCase() throws IOException {
        var folder = Files.createDirectory(root.resolve("allowed/docs"));
        Files.writeString(folder.resolve("README.MD"), "# Read me");
        Files.writeString(folder.resolve("Notes.TXT"), "Notes of the meeting.");
        watches().add(admin, team, WatchKind.FOLDER, folder.toString(), null, HOUR);
        worker().step();
        assertThat(sources()).hasSize(2);
        watches().remove(admin, team, only().id());
        watches().add(admin, team, WatchKind.FOLDER, folder.toString(), "Readme.*", HOUR);
        worker().step();
        assertThat(only().sources()).isEqualTo(1);
    }

    @Test
    void aFileWithTooLongAPathKeepsNoOtherFromBeingRead() throws IOException {
        var folder = Files.createDirectory(root.resolve("allowed/docs"));
        Files.writeString(folder.resolve("short.md"), "# Short");
        var deep = folder.resolve(longPath(14));
        Files.writeString(Files.createDirectories(deep).resolve("deep.md"), "# Deep");
        // A folder that is not there does not hide the others.
        config = config(
                List.of(root.resolve("gone").toString(), root.resolve("allowed").toString()));
        watches().add(admin, team, WatchKind.FOLDER, folder.toString(), null, HOUR);
        worker().step();
        assertThat(only().problem()).isNull();
        assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("Short");
    }

    @Test
    void whoMayNotAddAnyMoreWatchesNothing() {
        web.put(URL, "<p>Words.");
        var helper = knowledge.person("Helper");
        collections.put(manager, team, helper.user(), Role.EDITOR);
        refused("knowledge.collection-role", () -> watches().add(helper, team, WatchKind.URL, URL, null, HOUR));
        collections.put(manager, team, helper.user(), Role.MANAGER);
        watches().add(helper, team, WatchKind.URL, URL, null, HOUR);
        refused("knowledge.watched-already", () -> watches().add(manager, team, WatchKind.URL, URL, null, HOUR));
        refused(
                "knowledge.invalid",
                () -> watches().add(manager, team, WatchKind.URL, URL + "2", null, Duration.ofMinutes(1)));
        collections.put(manager, team, helper.user(), Role.READER);
        worker().step();
        assertThat(sources()).isEmpty();
        assertThat(only().problem().in(Language.ENGLISH)).contains("can no longer add");
        collections.delete(manager, team, KnowledgeCollections.Leftovers.DELETE);
        lookLater();
        assertThat(knowledge.accounts.count("SELECT count(*) FROM knowledge.collection_watches"))
                .isZero();
    }
}
