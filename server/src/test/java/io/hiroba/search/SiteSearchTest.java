package io.hiroba.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.search.SiteSearch.Asked;
import io.hiroba.search.SiteSearch.Group;
import io.hiroba.search.SiteSearch.Status;
import io.hiroba.search.SiteSearchPages.GroupView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sources that are asked side by side. */
class SiteSearchTest {

    private record Named(String type) implements SearchSource {

        @Override
        public String icon() {
            return "search";
        }

        @Override
        public int order() {
            return 0;
        }

        @Override
        public Optional<Finder> finder(Context ctx) {
            return Optional.empty();
        }
    }

    private static Asked asked(String type, SearchSource.Finder finder) {
        return new Asked(new Named(type), finder);
    }

    private static List<SearchSource.SearchResult> results(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new SearchSource.SearchResult("result " + i, List.of(), "/", null))
                .toList();
    }

    @Test
    void aSlowOrFailingGroupCostsItselfOnly() {
        var never = new CountDownLatch(1);
        try (var search = new SiteSearch(List.of(), Duration.ofMillis(300))) {
            var groups = search.search(
                    List.of(
                            asked("slow", (typed, limit) -> {
                                try {
                                    never.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                                return results(1);
                            }),
                            asked("broken", (typed, limit) -> {
                                throw new IllegalStateException("broken");
                            }),
                            asked("choosy", (typed, limit) -> {
                                throw HttpProblem.invalid("q", Text.verbatim("no"));
                            }),
                            asked("fine", (typed, limit) -> results(limit)),
                            asked("few", (typed, limit) -> results(1))),
                    "word",
                    3);
            assertThat(groups)
                    .extracting(Group::status)
                    .containsExactly(Status.TIMEOUT, Status.FAILED, Status.REFUSED, Status.OK, Status.OK);
            assertThat(groups).extracting(group -> group.results().size()).containsExactly(0, 0, 0, 3, 1);
            assertThat(groups).extracting(Group::more).containsExactly(false, false, false, true, false);
            assertThat(groups)
                    .extracting(group -> GroupView.of(group, "two words", true).retry())
                    .containsExactly(
                            "/search?tab=slow&q=two+words", "/search?tab=broken&q=two+words", null, null, null);
        } finally {
            never.countDown();
        }
    }

    @Test
    void searchesThatNobodyWaitsForAreBounded() {
        var never = new CountDownLatch(1);
        try (var search = new SiteSearch(List.of(), Duration.ofMillis(1))) {
            SearchSource.Finder stuck = (typed, limit) -> {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return List.of();
            };
            var many =
                    IntStream.range(0, 64).mapToObj(i -> asked("stuck", stuck)).toList();
            assertThat(search.search(many, "word", 1)).allMatch(group -> group.status() == Status.TIMEOUT);
            var asked = new CountDownLatch(1);
            var refused = search.search(
                    List.of(asked("next", (typed, limit) -> {
                        asked.countDown();
                        return List.of();
                    })),
                    "word",
                    1);
            assertThat(refused).extracting(Group::status).containsExactly(Status.TIMEOUT);
            assertThat(asked.getCount()).isOne();
        } finally {
            never.countDown();
        }
    }
}
