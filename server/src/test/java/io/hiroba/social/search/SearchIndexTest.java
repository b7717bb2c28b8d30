package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.Bell;
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
import java.util.concurrent.CountDownLatch;
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
        return new Events(db, EventsConfig.DEFAULT, Clock.systemUTC(), new SimpleMeterRegistry(), new Bell());
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
        var failures = new AtomicInteger();
        try (var node = node()) {
            node.consume(PostIndexer.CONSUMER, (tx, batch) -> {
                indexer.handle(tx, batch);
                if (failures.incrementAndGet() <= 2) {
                    // What was written is in the transaction; whoever looks now must not see it.
                    assertThat(rows("true")).isZero();
                    throw new IllegalStateException("killed after the last statement");
                }
            });
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(rows("true")).isEqualTo(120));
        }
        assertThat(find("ember")).hasSize(100).doesNotHaveDuplicates();
        assertThat(failures.get()).isGreaterThan(2);
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
        db.useTransaction(tx -> store.noteMissing(tx, 0, Long.MAX_VALUE));
        assertThat(rows("analysis = 0")).isEqualTo(PostIndexer.CHUNK + 5);
        social.post(ann, "granite without a row");
        try (var upkeep = new IndexUpkeep(db, indexer)) {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() ->
                            assertThat(rows("analysis = " + Analysis.VERSION)).isEqualTo(PostIndexer.CHUNK + 6));
            assertThat(upkeep).isNotNull();
        }
        assertThat(find("granite")).hasSize(PostIndexer.CHUNK + 6);
    }

    @Test
    void theBackgroundNeverPutsAnOldTextOverANewOne() throws InterruptedException {
        var post = social.post(ann, "basalt");
        db.useTransaction(tx -> store.noteMissing(tx, 0, Long.MAX_VALUE));
        var renewed = new CountDownLatch(1);
        var commit = new CountDownLatch(1);
        var background = Thread.ofVirtual()
                .start(() -> db.useTransaction(tx -> {
                    assertThat(indexer.renew(tx)).isEqualTo(1);
                    renewed.countDown();
                    awaitQuietly(commit);
                }));
        renewed.await();
        social.posts.edit(ann, post, PostDraft.of("marble"));
        try (var node = node()) {
            node.consume(PostIndexer.CONSUMER, indexer);
            // The consumer waits for the row that the background holds, and reads the post afterwards.
            await().during(Duration.ofMillis(300)).until(() -> find("marble").isEmpty());
            commit.countDown();
            background.join();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(find("marble")).containsExactly(post));
        }
        assertThat(find("basalt")).isEmpty();
    }

    @Test
    void aPostDeletedWhileItIsIndexedLeavesNoRowAndNoError() {
        var post = social.post(ann, "slate");
        db.useTransaction(tx -> {
            var entries = store.read(tx, List.of(post));
            social.posts.delete(ann, post);
            store.save(tx, entries);
        });
        assertThat(rows("true")).isZero();
        assertThatThrownBy(() -> social.posts.get(ann.user(), post)).hasMessageContaining("no such post");
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

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
