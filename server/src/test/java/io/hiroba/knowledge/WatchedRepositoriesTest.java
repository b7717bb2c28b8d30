package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.CollectionWatches.WatchKind;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.knowledge.documents.GitFetcher;
import io.hiroba.knowledge.documents.PageFetcher;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.Lazy;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestGitServer;
import io.hiroba.testkit.TestKnowledge;
import io.hiroba.testkit.TestSources;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watched Git repositories. */
class WatchedRepositoriesTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestSources test = new TestSources();
    private final TestKnowledge knowledge = test.knowledge;
    private final WakeSignal due = new WakeSignal();
    private GitFetcher repositories = new GitFetcher(ByteSize.parse("100KB"), Duration.ofSeconds(60), true);
    private final Caller manager = knowledge.person("Manager");
    private final KnowledgeConfig.CollectionsConfig config = new KnowledgeConfig.CollectionsConfig(
            10, 10, 2, Duration.ofMinutes(5), 3, ByteSize.parse("100KB"), List.of());
    private final WatchedFolders folders =
            new WatchedFolders(config.folders(), config.maxFiles(), ByteSize.parse("64KB"));
    private CollectionId team = new CollectionId(0);

    @BeforeEach
    void begin() {
        team = new KnowledgeCollections(
                        knowledge.db,
                        knowledge.accounts.lease.ids(),
                        knowledge.accounts.clock,
                        knowledge.writer,
                        config)
                .create(manager, "Team", null, Visibility.SHARED)
                .id();
    }

    @AfterEach
    void end() {
        repositories.close();
        test.close();
    }

    private CollectionWatches watches() {
        return new CollectionWatches(
                knowledge.db, knowledge.accounts.lease.ids(), knowledge.accounts.clock, config, folders, due);
    }

    private WatchWorker worker() {
        PageFetcher pages = url -> {
            throw new AssertionError(url);
        };
        var intake = new SourceIngestion(TestSources.CONFIG, pages, knowledge.accounts.clock);
        return new WatchWorker(
                knowledge.db,
                knowledge.accounts.clock,
                knowledge.writer,
                new WatchedPlace(pages, Lazy.of(() -> repositories), intake, folders),
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
    void theFilesOfARepositoryBecomeSourcesAndFollowItsNewestCommit() throws IOException {
        try (var git = new TestGitServer()) {
            git.commit(
                    "main",
                    Map.of(
                            "README.md", "# Handbook\nFirst words.",
                            "docs/holidays.md", "# Holidays\nTwenty days.",
                            ".github/hidden.md", "# Hidden",
                            "logo.svg", "<svg/>"));
            watches().add(manager, team, WatchKind.GIT, git.url(), null, HOUR);
            worker().step();
            assertThat(only().problem()).isNull();
            assertThat(sources()).extracting(KnowledgeSource::title).containsExactlyInAnyOrder("Handbook", "Holidays");

            lookLater();
            assertThat(git.packs()).isEqualTo(1);
            git.commit("main", Map.of("README.md", "# Handbook\nOther words."));
            lookLater();
            assertThat(git.packs()).isEqualTo(2);
            assertThat(sources()).hasSize(2).anyMatch(source -> text(source).contains("Other words"));
            lookLater();
            assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("Handbook");
        }
    }

    @Test
    void sourceCodeTakesThePlacesThatDocumentsLeave() throws IOException {
        try (var git = new TestGitServer()) {
            git.commit(
                    "main",
                    Map.of(
                            "z/guide.adoc", "Guide\nHow to begin.",
                            "src/A.java", "class A {}",
                            "src/deploy.yaml", "replicas: 3",
                            "src/z.py", "def last(): pass",
                            "node_modules/x/README.md", "# Not ours",
                            "vendor/x.go", "package x",
                            "web/app.min.js", "function a(){}",
                            "logo.png", "no text"));
            watches().add(manager, team, WatchKind.GIT, git.url(), null, HOUR);
            worker().step();
            assertThat(files()).containsExactlyInAnyOrder("z/guide.adoc", "src/A.java", "src/deploy.yaml");
            assertThat(String.valueOf(only().problem())).contains("1 file of source code");
            assertThat(only().failures()).isZero();
            lookLater();
            assertThat(git.packs()).isEqualTo(1);
            assertThat(String.valueOf(only().problem())).contains("1 file of source code");
            watches().remove(manager, team, only().id());

            watches().add(manager, team, WatchKind.GIT, git.url(), "vendor/**.GO **.py", HOUR);
            worker().step();
            assertThat(only().problem()).isNull();
            assertThat(only().sources()).isEqualTo(2);
        }
    }

    private List<String> files() {
        return sources().stream()
                .map(source -> source.metadata().path("file_name").asString())
                .toList();
    }

    @Test
    void aNodeThatDiesWhileItReadsARepositoryLeavesTheRestToTheNextLook() throws IOException {
        try (var git = new TestGitServer()) {
            git.commit("main", Map.of("a.md", "# A", "b.md", "# B"));
            var watch = watches().add(manager, team, WatchKind.GIT, git.url(), null, HOUR);
            worker().step();
            // It had written one file only.
            var lost = sources().getFirst();
            test.sources.delete(manager, lost.id());
            knowledge.db.useTransaction(tx -> {
                new WatchStore().forget(tx, watch.id(), lost.title().toLowerCase(Locale.ROOT) + ".md");
                new WatchStore().forget(tx, watch.id(), "");
            });
            lookLater();
            assertThat(sources()).extracting(KnowledgeSource::title).containsExactlyInAnyOrder("A", "B");
        }
    }

    @Test
    void anotherBranchIsReadWhereItIsNamedAndARedirectIsFollowed() throws IOException {
        try (var git = new TestGitServer()) {
            git.commit("main", Map.of("a.md", "# Main"));
            git.commit("next", Map.of("a.md", "# Next"));
            watches().add(manager, team, WatchKind.GIT, git.url().replace("handbook", "moved") + "#next", null, HOUR);
            worker().step();
            assertThat(only().problem()).isNull();
            assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("Next");
        }
    }

    @Test
    void aRepositoryThatCannotBeReadSaysWhy() throws IOException {
        try (var git = new TestGitServer()) {
            var random = new Random(7);
            git.commit("main", Map.of("a.md", "# Main"));
            git.commit(
                    "large",
                    Map.of(
                            "noise.md",
                            random.ints(200_000, '!', '~')
                                    .mapToObj(Character::toString)
                                    .collect(Collectors.joining())));
            assertThat(problemOf(git.url() + "#none")).contains("no branch or tag none");
            assertThat(problemOf(git.url() + "#large")).contains("larger than 0.1 MB");
            assertThat(problemOf(git.url().replace("handbook", "other"))).contains("no public Git repository");
            repositories.close();
            repositories = new GitFetcher(ByteSize.parse("100KB"), Duration.ofSeconds(20), false);
            assertThat(problemOf(git.url())).contains("private");
            refused(
                    "knowledge.invalid",
                    () -> watches().add(manager, team, WatchKind.GIT, git.url() + "#a..b", null, HOUR));
            refused("knowledge.invalid", () -> watches().add(manager, team, WatchKind.GIT, "file:///etc", null, HOUR));
        }
    }

    private String problemOf(String location) {
        var watch = watches().add(manager, team, WatchKind.GIT, location, null, HOUR);
        worker().step();
        var problem = only().problem();
        watches().remove(manager, team, watch.id());
        assertThat(sources()).isEmpty();
        return String.valueOf(problem);
    }

    @Test
    void aFileThatACommitTookAwayGoesAlsoIfTheNodeDiesBeforeItIsNoted() throws IOException {
        try (var git = new TestGitServer()) {
            git.commit("main", Map.of("a.md", "# A", "b.md", "# B"));
            watches().add(manager, team, WatchKind.GIT, git.url(), null, HOUR);
            worker().step();
            git.commit("main", Map.of("a.md", "# A"));
            sql("""
                    CREATE FUNCTION knowledge.die() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN IF new.missing_since IS NOT NULL THEN RAISE 'died'; END IF; RETURN new; END $$
                    """);
            sql("""
                    CREATE TRIGGER die BEFORE UPDATE ON knowledge.watched_files
                    FOR EACH ROW EXECUTE FUNCTION knowledge.die()
                    """);
            lookLater();
            sql("DROP FUNCTION knowledge.die CASCADE");
            lookLater();
            lookLater();
            assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("A");
        }
    }

    private void sql(String statement) {
        knowledge.db.useTransaction(tx -> tx.update(statement).execute());
    }

    @Test
    void aSmallRepositoryThatUnfoldsToMoreThanAMachineHoldsIsRefused() throws IOException {
        try (var git = new TestGitServer()) {
            git.commitNested("main", 10);
            assertThat(problemOf(git.url())).contains("too large");
            // A pack of two thousand million objects, and one with a commit of a terabyte.
            git.answerWithPack(new byte[] {'P', 'A', 'C', 'K', 0, 0, 0, 2, 127, -1, -1, -1});
            assertThat(problemOf(git.url())).contains("too large");
            git.answerWithPack(
                    new byte[] {'P', 'A', 'C', 'K', 0, 0, 0, 2, 0, 0, 0, 1, (byte) 0x90, -128, -128, -128, -128, 4});
            assertThat(problemOf(git.url())).contains("too large");
        }
    }

    @Test
    void moreFilesThanAllowedAreRefusedAndLinksLeaveTheOthersAlone() throws IOException {
        try (var git = new TestGitServer()) {
            git.commit("main", Map.of("a.md", "# A", "link.md -> a.md", "a.md"));
            git.tag("main", "v1");
            git.commit("main", Map.of("a.md", "1", "b.md", "2", "c.md", "3", "d.md", "4"));
            assertThat(problemOf(git.url())).contains("more than 3 files");
            watches().add(manager, team, WatchKind.GIT, git.url() + "#v1", null, HOUR);
            worker().step();
            assertThat(only().problem()).isNull();
            assertThat(sources()).extracting(KnowledgeSource::title).containsExactly("A");
        }
    }

    @Test
    void aPlaceWhoseNodesDieIsTriedEverLessOften() throws IOException {
        try (var git = new TestGitServer()) {
            git.commit("main", Map.of("a.md", "# A"));
            watches().add(manager, team, WatchKind.GIT, git.url(), null, HOUR);
            var store = new WatchStore();
            var clock = knowledge.accounts.clock;
            var lease = Duration.ofMinutes(10);
            for (int died = 0; died < 3; died++) {
                var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
                var claimed = knowledge.db.inTransaction(tx -> store.claim(tx, now, now.plus(lease)));
                assertThat(claimed).isPresent();
                var wait = lease.multipliedBy(1L << died);
                assertThat(knowledge.db.read(store::nextDue)).contains(now.plus(wait));
                clock.advance(wait);
            }
            worker().step();
            assertThat(only().failures()).isZero();
            assertThat(sources()).hasSize(1);
        }
    }
}
