package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.PostId;
import io.hiroba.social.search.PostIndexStore.PostText;
import io.hiroba.testkit.TestDatabase;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class PostSearchQueryTest {

    private static final TestDatabase database = TestDatabase.create();
    private static final PostSearch search = new PostSearch(database.db());
    private static final UserId ANN = new UserId(1);
    private static final PostId POST = new PostId(1_700_000_000_000L << 20);

    @BeforeContainer
    static void write() {
        var text = new PostText(POST, ANN, "word 東京 犬 🍣 ann", List.of("x"));
        database.db().useTransaction(tx -> {
            tx.update("""
                    INSERT INTO accounts.users (id, email, nickname, password, is_admin, snippet)
                    VALUES (:id, 'ann@example.org', 'ann', 'x', false, '[]')
                    """).bind("id", ANN.value()).execute();
            tx.update("ALTER TABLE social.posts DISABLE TRIGGER USER").execute();
            tx.update("""
                    INSERT INTO social.posts (id, snippet, owned_by, allow_likes, allow_replies)
                    VALUES (:id, '[]', :owner, true, true)
                    """).bind("id", POST.value()).bind("owner", ANN.value()).execute();
            tx.update("INSERT INTO social.post_details (post_id, content) VALUES (:id, :content)")
                    .bind("id", POST.value())
                    .bind("content", text.content())
                    .execute();
            new PostIndexStore().save(tx, List.of(IndexEntry.of(text)));
        });
    }

    private static PostSearchPage page(PostSearchQuery query) {
        return search.search(ANN, query, PostSearchPosition.START, 5);
    }

    private static List<PostId> found(PostSearchPage page) {
        return page.posts().stream().map(post -> post.card().id()).toList();
    }

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
    void anyQueryIsAnsweredOrRefusedWithWhatToDo(
            @ForAll("queries") String typed, @ForAll @IntRange(max = 2) int missing) {
        try {
            var query = PostSearchQuery.parse(typed).allowingMissing(missing);
            var page = page(query);
            assertThat(found(page)).isSubsetOf(POST);
            assertThat(page.allRanked()).isTrue();
            assertThat(page.next()).isEmpty();
        } catch (Problem problem) {
            assertThat(problem.code()).isEqualTo("social.bad-query");
        }
    }

    @Example
    void whatIsThereIsFoundAndNothingElse() {
        for (var typed : List.of("word", "東京", "\"word 東京\" 犬", "from:ann", "from:ann tag:x", "ann -\"犬 word\"")) {
            assertThat(found(page(PostSearchQuery.parse(typed)))).as(typed).containsExactly(POST);
        }
        for (var typed : List.of("\"東京 word\"", "word -犬", "word from:bob", "-\"word 東京\" ann")) {
            assertThat(found(page(PostSearchQuery.parse(typed)))).as(typed).isEmpty();
        }
    }

    @Example
    void wordsThatMayBeMissingAreNotLookedFor() {
        var query = PostSearchQuery.parse("cat word \"犬 🍣\" dog 東京 tag:x");
        assertThat(found(page(query.allowingMissing(1)))).isEmpty();
        assertThat(found(page(query.allowingMissing(2)))).containsExactly(POST);
        assertThat(found(page(PostSearchQuery.parse("cat wor do 東京").allowingMissing(2))))
                .as("parts of words")
                .containsExactly(POST);
        assertThat(PostSearchQuery.parse("a b c -d").allowingMissing(1).keys())
                .isEqualTo("((('a') & (('b') | ('c'))) | (('b') & ('c'))) & !('d')");
    }

    @Example
    void theIndexIsAskedForTheWordsOfAPhraseInAnyOrder() {
        assertThat(PostSearchQuery.parse("\"a b\" tag:y -c -\"d e\"").keys())
                .isEqualTo("('a' & 'b') & ('#y') & !('c')");
    }

    @Example
    void wordsTypedTogetherAreAPhrase() {
        assertThat(PostSearchQuery.parse("open-source 東京都 犬").matching())
                .isEqualTo("('open' <1> 'sourc') & ('東京' <1> '京都') & ('犬')");
        assertThat(PostSearchQuery.parse("入門Java \"a b\" -c -tag:X tag:#Y").matching())
                .isEqualTo("('入門' <2> 'java') & ('a' <1> 'b') & ('#y') & !('c') & !('#x')");
    }

    @Example
    void whatMeansSomethingToTheDatabaseIsQuoted() {
        assertThat(PostSearchQuery.parse("it's tag:a'b\\c").matching()).isEqualTo("('it') & ('#a''b\\\\c')");
    }

    @Example
    void tooMuchIsRefused() {
        assertThatThrownBy(() -> PostSearchQuery.parse("x".repeat(201))).hasMessageContaining("200 characters");
        assertThatThrownBy(() -> PostSearchQuery.parse("x ".repeat(21))).hasMessageContaining("20 words");
        assertThatThrownBy(() -> PostSearchQuery.parse("犬".repeat(62))).hasMessageContaining("60 words");
        assertThatThrownBy(() -> PostSearchQuery.parse("x -" + "犬".repeat(62))).hasMessageContaining("60 words");
        assertThatThrownBy(() -> PostSearchQuery.parse("tag:" + "ﷺ".repeat(196)))
                .hasMessageContaining("tag is too long");
        assertThat(PostSearchQuery.parse("犬".repeat(61)).words()).hasSize(1);
        assertThatThrownBy(() -> PostSearchQuery.parse("-x")).hasMessageContaining("besides exclusions");
    }
}
