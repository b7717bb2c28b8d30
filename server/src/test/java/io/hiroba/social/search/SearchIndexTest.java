package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchIndexTest {

    private final TestSocial social = new TestSocial();
    private final Db db = social.db;
    private final Caller ann = social.person("Ann");
    private final PostSearch search = new PostSearch(db);
    private final PostIndexer indexer = new PostIndexer();
    private final IndexStore store = new IndexStore();

    @AfterEach
    void close() {
        social.close();
    }

    private Events node() {
        return new Events(db, EventsConfig.DEFAULT, Clock.systemUTC(), new SimpleMeterRegistry(), new CommitSignal());
    }

    private List<PostId> find(String query) {
        return search.search(ann.user(), SearchQuery.parse(query), SearchPosition.START, 100).posts().stream()
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
        for (int i = 0; i < PostIndexer.CHUNK + 5; i++) {
            social.post(ann, "granite " + i);
        }
        noteMissing();
        assertThat(rows("analysis = 0")).isEqualTo(PostIndexer.CHUNK + 5);
        social.post(ann, "granite without a row");
        upkeepUntil(PostIndexer.CHUNK + 6);
        assertThat(find("granite")).hasSize(PostIndexer.CHUNK + 6);
    }

    private void upkeepUntil(int indexed) {
        var upkeep = new IndexUpkeep(db, indexer);
        try {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() ->
                            assertThat(rows("analysis = " + Analysis.VERSION)).isEqualTo(indexed));
        } finally {
            upkeep.close();
        }
    }

    @Test
    void postsWithoutARowAreLookedForOncePerAnalysis() {
        social.post(ann, "gneiss");
        upkeepUntil(1);
        social.post(ann, "gneiss without a row");
        db.useTransaction(
                tx -> tx.update("UPDATE social.post_search SET analysis = 0").execute());
        upkeepUntil(1);
        assertThat(rows("true")).isEqualTo(1);
        db.useTransaction(tx -> tx.update("DELETE FROM social.search_surveys").execute());
        upkeepUntil(2);
    }

    @Test
    void theBackgroundNeverPutsAnOldTextOverANewOne() throws Exception {
        var post = social.post(ann, "basalt");
        noteMissing();
        var renewed = new CountDownLatch(1);
        var commit = new CountDownLatch(1);
        var background = CompletableFuture.supplyAsync(
                () -> db.inTransaction(tx -> {
                    int posts = indexer.renew(tx);
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
        noteMissing();
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
        noteMissing();
        assertThat(db.<Integer>inTransaction(indexer::renew)).isEqualTo(2);
        assertThat(find("ก" + "\u0E31".repeat(100))).containsExactly(endless);
        assertThat(find("zircon")).containsExactly(beside);
    }

    @Test
    void aPostThatCannotBeAnalysedIsPassed() {
        var bad = social.post(ann, "poisonous jade");
        var good = social.post(ann, "harmless jade");
        noteMissing();
        var picky = new PostIndexer(text -> {
            if (text.post().equals(bad)) {
                throw new IllegalStateException("cannot be analysed");
            }
            return IndexEntry.of(text);
        });
        assertThat(db.<Integer>inTransaction(picky::renew)).isEqualTo(2);
        assertThat(rows("analysis = " + Analysis.VERSION)).isEqualTo(2);
        assertThat(find("jade")).containsExactly(good);
        assertThat(db.<Integer>inTransaction(picky::renew)).isZero();
    }

    private void noteMissing() {
        db.useTransaction(tx -> store.noteMissing(tx, 0, Long.MAX_VALUE));
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
        var after = Optional.of(SearchPosition.START);
        while (after.isPresent()) {
            var page = narrow.search(ann.user(), SearchQuery.parse("quartz"), after.get(), 4);
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
        var query = SearchQuery.parse("opal");
        var first = narrow.search(ann.user(), query, SearchPosition.START, 4);
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
