package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.testkit.TestSearch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The defaults of a search: ten hits, none of them improbable. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchDefaultsTest {

    private final TestSearch search = new TestSearch();
    private final Caller reader = search.knowledge.person("reader");

    @AfterAll
    void close() {
        search.close();
    }

    @Test
    void tenHitsAreReturned() {
        var texts = IntStream.range(0, 12).mapToObj(i -> "Walrus number " + i).toArray(String[]::new);
        search.note(reader.user(), true, "Walruses", Place.NONE, texts);
        assertThat(search.search.search(reader, KnowledgeQuery.of("walrus")).hits())
                .hasSize(10);
    }

    @Test
    void hitsThatHardlyFitAreHiddenUnlessASimilarityIsAskedFor() {
        search.note(
                reader.user(),
                true,
                "Rivers",
                Place.NONE,
                "amber basalt cedar dune",
                "amber ferry gorge harbour islet jetty knoll lagoon marsh");
        var query = "amber basalt cedar dune";
        var all = search.search.search(
                reader, new KnowledgeQuery(query, SearchMode.KEYWORD, 10, SearchFilters.NONE, -1.0));
        assertThat(all.hits()).hasSize(2);
        var shown = search.search.search(
                reader, new KnowledgeQuery(query, SearchMode.KEYWORD, 10, SearchFilters.NONE, null));
        assertThat(shown.hits()).containsExactly(all.hits().getFirst());
        assertThat(shown.why()).asString().contains("do not fit well enough");
    }
}
