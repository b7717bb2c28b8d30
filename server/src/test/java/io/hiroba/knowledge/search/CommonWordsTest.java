package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.testkit.TestSearch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Words that more chunks hold than are ever ranked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommonWordsTest {

    private static final int CHUNKS = 6_000;

    private final TestSearch search = new TestSearch();
    private final Caller reader = search.knowledge.person("reader");

    @BeforeAll
    void fill() {
        var source = search.note(reader.user(), true, "All", Place.NONE, "one");
        search.knowledge.db.useTransaction(tx -> tx.update("""
                INSERT INTO knowledge.knowledge_chunks (source_id, id, position, content, content_hash, location,
                    token_count, words, owned_by, is_public, source_type, created_at)
                SELECT s.id, i, i, 'chunk ' || i, '\\x00', '{"url": null, "label": "Text"}', 1, 'bread:1 butter:2',
                       s.owned_by, true, s.type, s.created_at
                FROM knowledge.knowledge_sources s CROSS JOIN generate_series(1, :chunks) AS i
                WHERE s.id = :source
                """)
                .bind("source", source.value())
                .bind("chunks", CHUNKS)
                .execute());
        search.note(
                reader.user(), true, "Last", Place.NONE, "Quince on bread and butter.", "Bread, butter and quince.");
        search.knowledge.db.useTransaction(
                tx -> tx.update("ANALYZE knowledge.knowledge_chunks").execute());
    }

    @AfterAll
    void end() {
        search.close();
    }

    @Test
    void aRareWordIsFoundBesideWordsThatAreEverywhereAndTheyFillThePage() {
        var query = "quince bread butter";
        var hits = search.search
                .search(reader, new KnowledgeQuery(query, SearchMode.KEYWORD, 10, SearchFilters.NONE, -1.0))
                .hits();
        assertThat(hits).hasSize(10);
        assertThat(hits.subList(0, 2)).extracting(SearchHit::sourceTitle).containsOnly("Last");
        assertThat(hits).extracting(SearchHit::chunk).doesNotHaveDuplicates();
    }
}
