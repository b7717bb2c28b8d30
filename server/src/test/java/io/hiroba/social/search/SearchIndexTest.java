package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.Events;
import io.hiroba.platform.events.EventsConfig;
import io.hiroba.platform.text.Analysis;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestSocial;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class SearchIndexTest {

    private final TestSocial social = new TestSocial();
    private final Db db = social.db;
    private final Caller ann = social.person("Ann");
    private final PostSearch search = new PostSearch(db);
    private final PostIndexer indexer = new PostIndexer();
    private final PostIndexStore store = new PostIndexStore();

    @BeforeEach
    void clear() {
        social.settle();
        db.useTransaction(tx -> {
            tx.update("DELETE FROM social.posts").execute();
            tx.update("DELETE FROM social.search_backfills").execute();
            tx.update("DELETE FROM platform.event_logs").execute();
        });
    }

    @AfterAll
    void close() {
        social.close();
    }

    private Events node() {
        return new Events(db, EventsConfig.DEFAULT, Clock.systemUTC(), new SimpleMeterRegistry(), new CommitSignal());
    }

    private List<PostId> find(String query) {
        return search.search(ann.user(), PostSearchQuery.parse(query), PostSearchPosition.START, 100).posts().stream()
                .map(found -> found.card().id())
                .toList();
    }

    private int rows(String condition) {
        return social.accounts.count("SELECT count(*) FROM social.post_search WHERE " + condition);
    }

    @Test
    void aConsumerKilledHalfWayLeavesNothingAndIndexesOnceLater() {
        for (int i = 0; i < 120; i++) {
            social.post(ann, "ember " + i);
        }
        var attempts = new AtomicInteger();
        var seenMeanwhile = new CopyOnWriteArrayList<Integer>();
        try (var node = node()) {
            node.consume(PostIndexer.CONSUMER, (tx, batch) -> {
                indexer.handle(tx, batch);
                if (attempts.incrementAndGet() <= 2) {
                    // What was written is in the transaction; whoever looks now must not see it.
                    seenMeanwhile.add(rows("true"));
                    throw new IllegalStateException("killed after the last statement");
                }
            });
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(rows("true")).isEqualTo(120));
        }
        assertThat(seenMeanwhile).containsExactly(0, 0);
        assertThat(find("ember")).hasSize(100).doesNotHaveDuplicates();
        assertThat(attempts.get()).isGreaterThan(2);
    }

    @Test
    void eventsThatComeTwiceOrForWhatIsGoneDoNoHarm() {
        var kept = social.post(ann, "kept flint");
        var gone = social.post(ann, "gone flint");
        social.posts.delete(ann, gone);
        try (var first = node()) {
            first.consume("one", indexer);
            first.consume("two", indexer);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(find("flint")).containsExactly(kept));
        }
        assertThat(rows("true")).isEqualTo(1);
    }

    @Test
    void postsFromBeforeTheIndexAndOfAnOlderAnalysisAreIndexedInTheBackground() {
        for (int i = 0; i < PostIndexer.BATCH_SIZE + 5; i++) {
            social.post(ann, "granite " + i);
        }
        insertMissing();
        assertThat(rows("analysis = 0")).isEqualTo(PostIndexer.BATCH_SIZE + 5);
        social.post(ann, "granite without a row");
        backfillUntil(PostIndexer.BATCH_SIZE + 6);
        assertThat(find("granite")).hasSize(PostIndexer.BATCH_SIZE + 6);
    }

    private void backfillUntil(int indexed) {
        try (var resources = new ResourceStack()) {
            new PostIndexBackfill(db, indexer).start(resources);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() ->
                            assertThat(rows("analysis = " + Analysis.VERSION)).isEqualTo(indexed));
        }
    }

    @Test
    void postsWithoutARowAreLookedForOncePerAnalysis() {
        social.post(ann, "gneiss");
        backfillUntil(1);
        social.post(ann, "gneiss without a row");
        db.useTransaction(
                tx -> tx.update("UPDATE social.post_search SET analysis = 0").execute());
        backfillUntil(1);
        assertThat(rows("true")).isEqualTo(1);
        db.useTransaction(tx -> tx.update("DELETE FROM social.search_backfills").execute());
        backfillUntil(2);
    }

    @Test
    void theBackgroundNeverPutsAnOldTextOverANewOne() throws Exception {
        var post = social.post(ann, "basalt");
        insertMissing();
        var renewed = new CountDownLatch(1);
        var commit = new CountDownLatch(1);
        var background = CompletableFuture.supplyAsync(
                () -> db.inTransaction(tx -> {
                    int posts = indexer.reindex(tx);
                    renewed.countDown();
                    awaitQuietly(commit);
                    return posts;
                }),
                Thread::startVirtualThread);
        assertThat(renewed.await(10, TimeUnit.SECONDS)).isTrue();
        social.posts.edit(ann, post, PostDraft.of("marble"));
        try (var node = node()) {
            node.consume(PostIndexer.CONSUMER, indexer);
            // The consumer waits for the row that the background holds, and reads the post afterwards.
            await().atMost(Duration.ofSeconds(8)).until(() -> waiting("SELECT post_id FROM social.post_search"));
            commit.countDown();
            assertThat(background.get(10, TimeUnit.SECONDS)).isEqualTo(1);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(find("marble")).containsExactly(post));
        }
        assertThat(find("basalt")).isEmpty();
    }

    @Test
    void aPostDeletedWhileItIsIndexedLeavesNoRowAndNoError() throws Exception {
        var post = social.post(ann, "slate");
        insertMissing();
        var deletion = new FutureTask<>(() -> social.posts.delete(ann, post), true);
        db.useTransaction(tx -> {
            store.lock(tx, List.of(post));
            Thread.startVirtualThread(deletion);
            await().atMost(Duration.ofSeconds(8)).until(() -> waiting("DELETE FROM social.posts"));
            // Had the deletion got hold of the post, it would now wait for the entry, and saving for the post.
            assertThat(tx.query("SELECT id FROM social.posts FOR KEY SHARE NOWAIT")
                            .mapTo(Long.class)
                            .list())
                    .containsExactly(post.value());
            save(tx, post);
        });
        deletion.get(10, TimeUnit.SECONDS);
        assertThat(rows("true")).isZero();
        assertThatThrownBy(() -> social.posts.get(ann.user(), post)).hasMessageContaining("no such post");
    }

    @Test
    void anEntryThatSaysNothingNewIsNotWritten() {
        var post = social.post(ann, "pumice");
        db.useTransaction(tx -> save(tx, post));
        var place = place();
        db.useTransaction(tx -> save(tx, post));
        assertThat(place()).isEqualTo(place);
        social.posts.edit(ann, post, PostDraft.of("tuff"));
        db.useTransaction(tx -> save(tx, post));
        assertThat(place()).isNotEqualTo(place);
    }

    @Test
    void aTextOfEndlessMarksIsIndexedAndSoAreThoseBesideIt() {
        var endless = social.post(ann, "ก" + "\u0E31".repeat(700));
        var beside = social.post(ann, "zircon");
        insertMissing();
        assertThat(db.<Integer>inTransaction(indexer::reindex)).isEqualTo(2);
        assertThat(find("ก" + "\u0E31".repeat(100))).containsExactly(endless);
        assertThat(find("zircon")).containsExactly(beside);
    }

    @Test
    void aPostThatCannotBeAnalysedIsPassed() {
        var bad = social.post(ann, "poisonous jade");
        var good = social.post(ann, "harmless jade");
        insertMissing();
        var picky = new PostIndexer(text -> {
            if (text.post().equals(bad)) {
                throw new IllegalStateException("cannot be analysed");
            }
            return IndexEntry.of(text);
        });
        assertThat(db.<Integer>inTransaction(picky::reindex)).isEqualTo(2);
        assertThat(rows("analysis = " + Analysis.VERSION)).isEqualTo(2);
        assertThat(find("jade")).containsExactly(good);
        assertThat(db.<Integer>inTransaction(picky::reindex)).isZero();
    }

    private void insertMissing() {
        db.useTransaction(tx -> store.insertMissing(tx, 0, Long.MAX_VALUE));
    }

    private void save(Tx tx, PostId post) {
        store.save(
                tx, store.read(tx, List.of(post)).stream().map(IndexEntry::of).toList());
    }

    /** Where the only row lies: every writing moves it. */
    private String place() {
        return db.read(reads -> reads.query("SELECT CAST(ctid AS text) FROM social.post_search")
                .mapTo(String.class)
                .one());
    }

    private boolean waiting(String statement) {
        return social.accounts.count("""
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, '%s') > 0
                """.formatted(statement)) > 0;
    }

    @Test
    void beyondTheFirstWindowTheNextOneGoesOn() {
        for (int i = 0; i < 25; i++) {
            social.post(ann, "quartz " + i);
        }
        try (var node = node()) {
            node.consume(PostIndexer.CONSUMER, indexer);
            await().atMost(Duration.ofSeconds(20)).until(() -> rows("true") == 25);
        }
        var narrow = new PostSearch(db, 10);
        var seen = new ArrayList<PostId>();
        var after = Optional.of(PostSearchPosition.START);
        while (after.isPresent()) {
            var page = narrow.search(ann.user(), PostSearchQuery.parse("quartz"), after.get(), 4);
            assertThat(page.allRanked()).isFalse();
            page.posts().forEach(found -> seen.add(found.card().id()));
            after = page.next();
        }
        assertThat(seen).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void olderWindowsAreReachedThoughTheRestOfANewerOneIsGone() {
        var all = new ArrayList<PostId>();
        for (int i = 0; i < 25; i++) {
            all.add(social.post(ann, "opal " + i));
        }
        db.useTransaction(tx -> all.forEach(post -> save(tx, post)));
        var narrow = new PostSearch(db, 10);
        var query = PostSearchQuery.parse("opal");
        var first = narrow.search(ann.user(), query, PostSearchPosition.START, 4);
        var seen = new ArrayList<>(
                first.posts().stream().map(found -> found.card().id()).toList());
        all.subList(15, 25).stream()
                .filter(post -> !seen.contains(post))
                .forEach(post -> social.posts.delete(ann, post));
        var after = first.next();
        while (after.isPresent()) {
            var page = narrow.search(ann.user(), query, after.get(), 4);
            page.posts().forEach(found -> seen.add(found.card().id()));
            after = page.next();
        }
        assertThat(seen).hasSize(4 + 15).doesNotHaveDuplicates().containsAll(all.subList(0, 15));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(9, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
