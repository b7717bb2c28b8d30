package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.TestDatabase;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

class SearchQueryTest {

    private static final TestDatabase database = TestDatabase.create();
    private static final PostSearch search = new PostSearch(database.db());

    @AfterContainer
    static void close() {
        database.close();
    }

    @Provide
    Arbitrary<String> queries() {
        var parts = Arbitraries.of(
                "word",
                "\"",
                "-",
                "tag:",
                "from:",
                "'",
                "\\",
                ":*",
                "&",
                "|",
                "!",
                "(",
                ")",
                "<->",
                "東京",
                "犬",
                " ",
                "\u3000",
                "\u0000",
                "\uD800",
                "🍣",
                "@",
                "#",
                "ann",
                "0001000000000001",
                "“",
                "%",
                "_",
                "ﷺ",
                "x'::tsquery");
        return Arbitraries.oneOf(parts, parts, Arbitraries.strings().ofMaxLength(5))
                .list()
                .ofMaxSize(20)
                .map(list -> String.join("", list));
    }

    @Property(tries = 500)
    void anyQueryIsAnsweredOrRefusedWithWhatToDo(@ForAll("queries") String typed) {
        try {
            var query = SearchQuery.parse(typed);
            var page = search.search(new UserId(1), query, SearchPosition.START, 5);
            assertThat(page.posts()).isEmpty();
            assertThat(page.allRanked()).isTrue();
        } catch (Problem problem) {
            assertThat(problem.code()).isEqualTo("social.bad-query");
        }
    }

    @Example
    void wordsStandTogetherWhereTheyWereTypedTogether() {
        assertThat(SearchQuery.parse("open-source 東京都 犬").matching())
                .isEqualTo("('open' <1> 'sourc') & ('東京' <1> '京都') & ('犬')");
        assertThat(SearchQuery.parse("入門Java \"a b\" -c -tag:X tag:#Y").matching())
                .isEqualTo("('入門' <2> 'java') & ('a' <1> 'b') & ('#y') & !('c') & !('#x')");
    }

    @Example
    void whatMeansSomethingToTheDatabaseIsQuoted() {
        assertThat(SearchQuery.parse("it's tag:a'b\\c").matching()).isEqualTo("('it') & ('#a''b\\\\c')");
    }

    @Example
    void tooMuchIsRefused() {
        assertThatThrownBy(() -> SearchQuery.parse("x".repeat(201))).hasMessageContaining("200 characters");
        assertThatThrownBy(() -> SearchQuery.parse("x ".repeat(21))).hasMessageContaining("20 words");
        assertThatThrownBy(() -> SearchQuery.parse("-x")).hasMessageContaining("beside what to leave out");
    }
}
