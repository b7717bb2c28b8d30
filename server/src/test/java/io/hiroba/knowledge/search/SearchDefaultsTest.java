package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.NewSource.Place;
import io.hiroba.platform.config.ConfigLoader;
import io.hiroba.testkit.TestSearch;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The defaults of a search: ten hits, and a similarity of at least 0.7. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchDefaultsTest {

    private static final SearchConfig DEFAULTS = ConfigLoader.of(SearchConfig.class)
            .environment(Map.of())
            .arguments(List.of())
            .load()
            .value();

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
    void aVectorSearchHidesHitsWithASimilarityBelowTheDefaultThreshold() {
        search.note(
                reader.user(),
                true,
                "Rivers",
                Place.NONE,
                "amber basalt cedar dune",
                "amber basalt ferry gorge harbour islet");
        var byDefault = new Search(
                search.searchDatabase,
                Clock.systemUTC(),
                search.knowledge.spaces,
                search.vectors,
                DEFAULTS,
                search.recall);
        var query = "amber basalt cedar dune";
        var all = byDefault
                .search(reader, new KnowledgeQuery(query, SearchMode.VECTOR, 10, SearchFilters.NONE, -1.0))
                .hits();
        assertThat(all).anyMatch(hit -> hit.score() >= 0.7).anyMatch(hit -> hit.score() < 0.7);
        var shown = byDefault
                .search(reader, new KnowledgeQuery(query, SearchMode.VECTOR, 10, SearchFilters.NONE, null))
                .hits();
        assertThat(shown)
                .isEqualTo(all.stream().filter(hit -> hit.score() >= 0.7).toList());
    }
}
