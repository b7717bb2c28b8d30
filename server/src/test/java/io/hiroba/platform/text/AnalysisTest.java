package io.hiroba.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnalysisTest {

    private static List<String> terms(String text) {
        return Analysis.tokens(text).stream()
                .filter(token -> !token.part())
                .map(Token::term)
                .toList();
    }

    private static List<String> places(String text) {
        return Analysis.tokens(text).stream()
                .map(token -> token.position() + " " + text.substring(token.start(), token.end()))
                .toList();
    }

    @Test
    void englishWordsLoseCaseEndingsAndPossessives() {
        assertThat(terms("Running runs RUN")).containsExactly("run", "run", "run");
        assertThat(terms("Ann's cats, the cat’s")).containsExactly("ann", "cat", "the", "cat");
    }

    @Test
    void accentsWidthsAndLigaturesMakeNoDifference() {
        assertThat(terms("Café ＣＡＦＥ cafe\u0301")).containsExactly("cafe", "cafe", "cafe");
        assertThat(terms("ﬁne ｶﾞﾗｽ")).containsExactlyElementsOf(terms("fine ガラス"));
    }

    @Test
    void numbersStayWhole() {
        assertThat(terms("3.14 1,000 v17")).containsExactly("3.14", "1,000", "v17");
    }

    @Test
    void namesOfProgramsFallIntoTheirWords() {
        assertThat(terms("io.hiroba.App user_id note:this x-y"))
                .containsExactly("io", "hiroba", "app", "user", "id", "note", "thi", "x", "y");
    }

    @Test
    void scriptsWithoutSpacesFallIntoPairs() {
        assertThat(terms("東京都庁")).containsExactly("東京", "京都", "都庁");
        assertThat(terms("らーめん")).containsExactly("らー", "ーめ", "めん");
        assertThat(terms("数据库")).containsExactly("数据", "据库");
        assertThat(terms("한국어")).containsExactly("한국", "국어");
        assertThat(terms("犬")).containsExactly("犬");
        assertThat(terms("𠮷野家")).containsExactly("𠮷野", "野家");
    }

    @Test
    void everyCharacterIsFoundAloneToo() {
        assertThat(places("犬と猫")).containsExactly("0 犬", "0 犬と", "1 と", "1 と猫", "2 猫");
    }

    @Test
    void foreignWordsAreFoundWithWhateverStandsBehindThem() {
        assertThat(terms("Java를 배우다")).startsWith("java", "를");
        assertThat(terms("Javaの本")).containsExactly("java", "の本");
        assertThat(terms("入門Java")).containsExactly("入門", "java");
    }

    @Test
    void theDrawingOfACharacterMakesNoDifference() {
        assertThat(terms("葛\uDB40\uDD00城")).containsExactly("葛城");
    }

    @Test
    void marksWithoutEndMakeNoEndlessTerm() {
        assertThat(terms("ก" + "\u0E31".repeat(700))).containsExactly("ก" + "\u0E31".repeat(8));
        assertThat(places("ก" + "\u0E31".repeat(700))).containsExactly("0 ก" + "\u0E31".repeat(700));
    }

    @Test
    void aTermThatNoVectorCanHoldIsLeftOut() {
        var fits = "é".repeat(1_000);
        var vector = new TokenVector().mark(fits).mark("é".repeat(1_001)).text();
        assertThat(vector).isEqualTo("'%s':1 ".formatted(fits));
    }

    @Test
    void emojiAreWords() {
        assertThat(terms("good 🍣!")).containsExactly("good", "🍣");
    }

    @Test
    void tokensKnowWhereTheyStandInTheTextAsWritten() {
        assertThat(places("Ｆｕｌｌ width ㍿"))
                .containsExactly("0 Ｆｕｌｌ", "1 width", "2 ㍿", "2 ㍿", "3 ㍿", "3 ㍿", "4 ㍿", "4 ㍿", "5 ㍿");
        assertThat(places("a\u0301bc de")).containsExactly("0 a\u0301bc", "1 de");
    }

    @Test
    void whatIsNoWordLeavesNothing() {
        assertThat(Analysis.tokens(" \u0000\uD800 … !? \n\t ")).isEmpty();
        assertThat(Analysis.tokens("")).isEmpty();
    }
}
