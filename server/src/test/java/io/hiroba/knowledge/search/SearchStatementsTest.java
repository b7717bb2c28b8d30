package io.hiroba.knowledge.search;

import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.embedding.EmbeddingSpace;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.EmbeddingSpace.State;
import io.hiroba.knowledge.embedding.QueryEmbeddings.Vector;
import io.hiroba.knowledge.search.QueryTerms.Breadth;
import io.hiroba.knowledge.search.QueryTerms.Term;
import io.hiroba.knowledge.search.SearchStore.HybridOptions;
import io.hiroba.knowledge.search.SearchStore.VectorScan;
import io.hiroba.platform.text.Phrase;
import io.hiroba.testkit.GoldenStatements;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The statements of searches as they are sent. */
class SearchStatementsTest {

    private static final Vector VECTOR =
            new Vector(new EmbeddingSpace(1, new Model("local", "small", 3), State.ACTIVE), new float[] {1, 0, 0});
    private static final QueryTerms TERMS = new QueryTerms(
            List.of(
                    new Term(List.of(Phrase.mark("walrus"), Phrase.of("wal rus")), 3, true, 2.5),
                    new Term(List.of(Phrase.mark("ice")), 9, true, 1.5)),
            100);
    private static final SearchFilters POSTS_OF_A_CHANNEL =
            new SearchFilters(SourceType.POST, null, 42L, null, null, null);

    private static void assertStatement(String name, String sql) {
        GoldenStatements.check("knowledge", name, sql);
    }

    private static KnowledgeQuery query(SearchFilters filters) {
        return new KnowledgeQuery("walrus ice", SearchMode.HYBRID, 10, filters, null);
    }

    @Test
    void aVectorSearchAlongTheGraph() {
        assertStatement("vector-graph", SearchStore.vectorSql(VECTOR, SearchFilters.NONE, 10, VectorScan.GRAPH));
    }

    @Test
    void anExactVectorSearchWithFilters() {
        assertStatement(
                "vector-exact-filtered", SearchStore.vectorSql(VECTOR, POSTS_OF_A_CHANNEL, 10, VectorScan.EXACT));
    }

    @Test
    void aKeywordSearchWithFilters() {
        assertStatement("keyword-filtered", SearchStore.keywordSql(TERMS, query(POSTS_OF_A_CHANNEL)));
    }

    @Test
    void aHybridSearch() {
        var options = new HybridOptions(50, VectorScan.GRAPH, Breadth.USUAL);
        assertStatement("hybrid", SearchStore.candidatesSql(VECTOR, TERMS, query(SearchFilters.NONE), options));
    }
}
