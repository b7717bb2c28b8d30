package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.text.VocabularyStore;
import io.hiroba.platform.text.VocabularyStore.Place;
import io.hiroba.social.PostId;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a search reads of a table in which some words are everywhere. */
@Tag("slow")
class SearchCostTest {

    private static final int POSTS = 60_000;
    private static final UserId VIEWER = new UserId(1);
    private static final TestDatabase database = TestDatabase.create();

    @BeforeAll
    static void seed() {
        database.db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    VALUES (1, 'one@example.org', 'one', 'x', false, '[]')
                    """).execute();
            tx.update("ALTER TABLE social.posts DISABLE TRIGGER USER").execute();
            // Ten minutes apart, so that they fill more than a year.
            tx.update("""
                    INSERT INTO social.posts (id, snippet, owned_by, allow_likes, allow_replies)
                    SELECT (1700000000000 + n * 600000) << 20, '[]', 1, true, true FROM generate_series(1, :posts) AS n
                    """).bind("posts", (long) POSTS).execute();
            tx.update("INSERT INTO social.post_details (post_id, content) SELECT id, 'x' FROM social.posts")
                    .execute();
            tx.update("""
                    INSERT INTO social.post_search (post_id, owned_by, tokens, analysis)
                    SELECT id, 1, CAST(concat_ws(' ', 'w' || n % 5000 || ':1',
                                                 CASE WHEN n % 2 = 0 THEN 'common:2 pair:3' END,
                                                 CASE WHEN n % 10000 = 0 THEN 'rare:4' END,
                                                 CASE WHEN n <= 20000 THEN 'old:5' END,
                                                 CASE WHEN n BETWEEN 30001 AND 30600 THEN 'burst:6' END) AS tsvector), 1
                    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM social.posts) AS p
                    """).execute();
        });
        database.db()
                .useTransaction(tx -> tx.update("ANALYZE social.post_search").execute());
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private record Reading(long sequential, long rows, int found, long reached) {}

    private static Reading reading(String words) {
        return reading(words, PostSearchPosition.START);
    }

    private static Reading reading(String words, PostSearchPosition after) {
        var query = PostSearchQuery.parse(words);
        return database.db().inTransaction(tx -> {
            var before = counted(tx);
            var page = new PostSearchStore().search(tx, VIEWER, query, after, PostSearch.WINDOW, 20);
            var now = counted(tx);
            return new Reading(
                    now.sequential - before.sequential,
                    now.rows - before.rows,
                    page.hits().size(),
                    page.reached());
        });
    }

    private static Reading counted(Tx tx) {
        return tx.query("""
                SELECT seq_scan, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relid = 'social.post_search'::regclass
                """)
                .map(row -> new Reading(row.getLong("seq_scan"), row.getLong("idx_tup_fetch"), 0, 0))
                .one();
    }

    @Test
    void aWordThatIsEverywhereIsReadForOneWindowOnly() {
        for (var words : List.of("common", "common pair", "\"common pair\"", "common -rare")) {
            var reading = reading(words);
            assertThat(reading.found()).as(words).isEqualTo(20);
            assertThat(reading.sequential()).as(words).isZero();
            assertThat(reading.rows()).as(words).isBetween((long) PostSearch.WINDOW, 6L * PostSearch.WINDOW);
        }
    }

    @Test
    void aRareWordIsFoundHoweverOldByReadingItsMatchesOnly() {
        for (var words : List.of("rare", "rare common", "rare -w3")) {
            var reading = reading(words);
            assertThat(reading.found()).as(words).isEqualTo(POSTS / 10_000);
            assertThat(reading.sequential()).as(words).isZero();
            assertThat(reading.rows()).as(words).isLessThan(100);
        }
    }

    @Test
    void aPhraseThatNobodyWroteOfWordsThatAreEverywhereReadsABoundedPartAtATime() {
        long most = (long) PostSearch.WINDOW * PostSearch.MAX_SCANNED_PER_MATCH;
        var words = "\"pair common\"";
        var first = reading(words);
        assertThat(first.found()).isZero();
        assertThat(first.sequential()).isZero();
        assertThat(first.rows()).isBetween(most, most + 5L * PostSearch.WINDOW);
        assertThat(first.reached()).isPositive();
        var second = reading(words, PostSearchPosition.window(first.reached()));
        assertThat(second.found()).isZero();
        assertThat(second.reached()).isZero();
        assertThat(first.rows() + second.rows()).isGreaterThanOrEqualTo(POSTS / 2);
    }

    @Test
    void aWordThatWasEverywhereLongAgoIsReadForLittleMoreThanOneWindow() {
        var reading = reading("old");
        assertThat(reading.found()).isEqualTo(20);
        assertThat(reading.sequential()).isZero();
        assertThat(reading.rows()).isLessThan(10L * PostSearch.WINDOW);
    }

    @Test
    void whatWasWrittenInABurstIsFoundToTheLastPost() {
        var narrow = new PostSearch(database.db(), 50);
        var query = PostSearchQuery.parse("burst");
        var seen = new ArrayList<PostId>();
        var after = Optional.of(PostSearchPosition.START);
        while (after.isPresent()) {
            var page = narrow.search(VIEWER, query, after.get(), 30);
            page.posts().forEach(found -> seen.add(found.card().id()));
            after = page.next();
        }
        assertThat(seen).hasSize(600).doesNotHaveDuplicates();
    }

    @Test
    void theWordsAreLookedUpInTheirIndex() {
        var plan = database.db().inTransaction(tx -> {
            tx.update("SET LOCAL enable_seqscan = off").execute();
            return String.join(
                    "\n",
                    tx.query("""
                    EXPLAIN SELECT post_id FROM social.post_search s
                    WHERE s.tokens @@ CAST(:q AS tsquery) AND social.search_slices(s.post_id) @> ARRAY[1::bigint]
                    """).bind("q", "'common'").mapTo(String.class).list());
        });
        assertThat(plan)
                .contains("Bitmap Index Scan on idx_post_search_tokens")
                .contains("Index Cond: ((tokens @@ ")
                .doesNotContain("Seq Scan");
    }

    @Test
    void partsOfWordsAreLookedUpInTheIndexOfTheVocabulary() {
        database.db().useTransaction(tx -> {
            tx.update(
                            "INSERT INTO social.search_terms (term) SELECT left(md5(n::text), 6) FROM generate_series(1, 20000) AS n")
                    .execute();
            tx.update("ANALYZE social.search_terms").execute();
        });
        for (boolean generic : List.of(false, true)) {
            for (var place : Place.values()) {
                var plan = Plan.of(
                        database.db(),
                        generic,
                        reads -> PostSearch.VOCABULARY.query(reads, Plan.LEAD, "w499", place, 40));
                assertThat(plan.toString()).contains("idx_search_terms_trigrams");
                assertThat(plan.entriesPassedOf("search_terms"))
                        .as(plan.toString())
                        .isLessThan(100);
            }
        }
        var reading = reading("w4998 rare");
        assertThat(reading.found()).isZero();
        var page = new PostSearch(database.db())
                .search(VIEWER, PostSearchQuery.parse("w499"), PostSearchPosition.START, 20);
        assertThat(page.posts()).hasSize(20);
        assertThat(page.next()).isPresent();
    }

    @Test
    void wordsThatAreInNoTextAnyMoreAreForgottenALittleLater() {
        var vocabulary = PostSearch.VOCABULARY;
        var db = database.db();
        db.useTransaction(tx -> tx.update("INSERT INTO social.search_terms (term) VALUES ('zzgone'), ('zzused')")
                .execute());
        assertThat(swept("zz", 10)).isEmpty();
        assertThat(terms(vocabulary)).containsExactly("zzgone", "zzused");
        db.useTransaction(tx -> {
            tx.update("UPDATE social.search_terms SET absent = absent - INTERVAL '2 hours' WHERE absent IS NOT NULL")
                    .execute();
            tx.update("""
                    UPDATE social.post_search SET tokens = tokens || 'zzused:9'
                    WHERE post_id = (SELECT min(post_id) FROM social.post_search)
                    """).execute();
        });
        assertThat(swept("zz", 10)).isEmpty();
        assertThat(terms(vocabulary)).containsExactly("zzused");
        assertThat(swept("w", 2)).contains("w100");
    }

    private static Optional<String> swept(String after, int limit) {
        return database.db().inTransaction(tx -> PostSearch.VOCABULARY.sweep(tx, after, limit));
    }

    private static List<String> terms(VocabularyStore vocabulary) {
        return database.db().read(reads -> vocabulary.terms(reads, "zz", Place.START, 10));
    }
}
