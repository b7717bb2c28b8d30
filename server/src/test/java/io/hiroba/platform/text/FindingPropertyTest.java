package io.hiroba.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.text.TokenVector.Weight;
import io.hiroba.testkit.TestDatabase;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** PostgreSQL finds what the analysis makes. */
class FindingPropertyTest {

    private static final TestDatabase database = TestDatabase.create();

    @AfterContainer
    static void close() {
        database.close();
    }

    @Provide
    Arbitrary<String> texts() {
        var words = Arbitraries.of(
                "running",
                "Cats'",
                "it's",
                "東京都庁",
                "犬",
                "らーめん",
                "データベース",
                "数据库",
                "한국어를",
                "Java를",
                "user_id",
                "3.14",
                "a.b",
                "'",
                "\\",
                "''",
                ":*",
                "&|!",
                "<->",
                "é",
                "e\u0301",
                "ﬁ",
                "㍿",
                "ｶﾞ",
                "\uD83D",
                "🍣",
                "👨‍👩‍👧",
                "\u0000",
                "\uFEFF",
                "ไทย",
                "ก" + "\u0E31".repeat(700),
                "ﷺ",
                "0ﷺ",
                "00\u0EB3",
                "𠮷",
                "葛\uDB40\uDD00",
                "-",
                "\"",
                "x".repeat(300),
                "İ");
        var anything = Arbitraries.strings().ofMaxLength(20);
        return Arbitraries.oneOf(words, words, anything).list().ofMaxSize(12).map(parts -> String.join(" ", parts));
    }

    private static boolean finds(String vector, List<String> queries) {
        return database.db()
                .read(reads -> reads.query("""
                SELECT bool_and(CAST(:vector AS tsvector) @@ CAST(q AS tsquery)) FROM unnest(:queries) AS t (q)
                """)
                        .bind("vector", vector)
                        .bindArray("queries", String.class, queries.toArray())
                        .mapTo(Boolean.class)
                        .one());
    }

    @Property(tries = 500)
    void aTextIsFoundByEachOfItsWordsAndByItselfAsAPhrase(@ForAll("texts") String text) {
        var tokens = Analysis.tokens(text);
        var vector = new TokenVector().add(tokens, Weight.TEXT).text();
        // A sign may end one word and be another, as a Lao vowel after digits does; that one cannot be cut out alone.
        var alone = tokens.stream()
                .filter(token -> token.part()
                        || tokens.stream()
                                .noneMatch(other -> other.start() < token.start() && other.end() >= token.end()))
                .toList();
        var queries = alone.stream()
                .map(token -> Phrase.of(text.substring(token.start(), token.end())))
                .filter(phrase -> !phrase.isEmpty())
                .map(Phrase::tsquery)
                .collect(Collectors.toList());
        if (tokens.isEmpty()) {
            assertThat(finds(vector, List.of("'x'"))).isFalse();
            return;
        }
        queries.add(Phrase.of(text).tsquery());
        assertThat(queries).hasSize(alone.size() + 1);
        assertThat(finds(vector, queries)).isTrue();
    }

    @Property(tries = 500)
    void aPassageHoldsOnlyWhatTheTextHolds(@ForAll("texts") String text, @ForAll("texts") String query) {
        var pieces = Passage.of(text, List.of(Phrase.of(query)), 60);
        var shown = pieces.stream().map(Passage.Piece::text).collect(Collectors.joining());
        var core = shown.startsWith("…") && !text.startsWith("…") ? shown.substring(1) : shown;
        core = core.endsWith("…") && !text.endsWith("…") ? core.substring(0, core.length() - 1) : core;
        assertThat(text.replace('\n', ' ')).contains(core);
    }

    @Property(tries = 5)
    void aPhraseIsFoundHoweverFarBehindItStands(@ForAll("texts") String filler) {
        var text = ("word " + filler + " ").repeat(30) + "あいうえおかきくけこ".repeat(3_000) + " last words 最後の言葉";
        var vector = new TokenVector().add(Analysis.tokens(text), Weight.TEXT).text();
        assertThat(finds(
                        vector,
                        List.of(
                                Phrase.of("last words").tsquery(),
                                Phrase.of("最後の言葉").tsquery())))
                .isTrue();
    }
}
