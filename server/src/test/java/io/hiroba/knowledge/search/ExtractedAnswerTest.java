package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentences that answer a question. */
class ExtractedAnswerTest {

    @Test
    void sentencesAreChosenByTheirWordsAndCiteNothingOfOthers() {
        var guide = new ExtractedAnswer.Passage("", """
            # Parking
            Cars stand behind the barn. The gate opens at seven [3]. Dogs stay outside.

            駐車場は午前七時に開きます。犬は入れません。
            """, 0.9);
        assertThat(ExtractedAnswer.of("When does the gate open?", List.of(guide)))
                .startsWith("- The gate opens at seven (3). [1]");
        assertThat(ExtractedAnswer.of("駐車場はいつ開きますか", List.of(guide))).startsWith("- 駐車場は午前七時に開きます。 [1]");
    }

    @Test
    void sentencesAreWholeAndHeadingsTellWhatTheyAreAbout() {
        var rules = new ExtractedAnswer.Passage("", """
            House rules

            Quiet hours

            From ten in the evening until seven in the morning nobody drills, hammers or
            practises the trumpet. On Sundays the quiet lasts all day, except for
            children.
            """, 0.9);
        assertThat(ExtractedAnswer.of("When is it quiet?", List.of(rules)))
                .isEqualTo("- On Sundays the quiet lasts all day, except for children. [1]\n"
                        + "- From ten in the evening until seven in the morning nobody drills, hammers or"
                        + " practises the trumpet. [1]");

        var shed = new ExtractedAnswer.Passage("", "A cordless drill, two spades and a ladder.", 0.01);
        var back = new ExtractedAnswer.Passage("", "# Giving back\n\nHang it up.\nThen write it down.", 0.2);
        assertThat(ExtractedAnswer.of("How do I return the drill?", List.of(back, shed)))
                .isEqualTo("- Hang it up. [1]");

        var bath = new ExtractedAnswer.Passage("", "使ったあと\n\n湯を抜いたら、薄めた重曹水を\nスポンジにつけます。", 0.9);
        assertThat(ExtractedAnswer.of("重曹水", List.of(bath))).isEqualTo("- 湯を抜いたら、薄めた重曹水をスポンジにつけます。 [1]");
    }

    @Test
    void signsBeforeNumbersAndMarksOfWordsStay() {
        var rules = new ExtractedAnswer.Passage("", """
            - **Refunds** take five days.
            - -20 °C is the lowest temperature.

            The store must not fall below
            -5 °C at any time.
            """, 0.9);
        assertThat(ExtractedAnswer.of("How long do refunds take?", List.of(rules)))
                .isEqualTo("- **Refunds** take five days. [1]");
        assertThat(ExtractedAnswer.of("What is the lowest temperature?", List.of(rules)))
                .isEqualTo("- -20 °C is the lowest temperature. [1]");
        assertThat(ExtractedAnswer.of("How cold may the store be?", List.of(rules)))
                .startsWith("- The store must not fall below -5 °C at any time. [1]");
    }

    @Test
    void aWordIsNotTakenForTheFunctionWordThatHasItsTerm() {
        assertThat(ExtractedAnswer.words("How do we set up HA?")).containsExactly("set", "HA");
        assertThat(ExtractedAnswer.words("Where does John Doe sit?")).containsExactly("John", "Doe", "sit");
        assertThat(ExtractedAnswer.words("Who was it that has said this?")).isEmpty();
    }

    @Test
    void ofATableTheRowsThatAreAskedForAreQuotedWithTheNamesOfTheColumns() {
        var prices = new ExtractedAnswer.Passage("", """
            Prices

            Part | Stock | Price
            Bolt M8 | 500 | 0.12
            Hinge |  | 3.40
            Padlock | 12 | 9.90
            """, 0.9);
        assertThat(ExtractedAnswer.of("What is the price of a hinge?", List.of(prices)))
                .isEqualTo("- Part: Hinge; Price: 3.40 [1]");
        var table = new ExtractedAnswer.Passage("", "品目 | 値段\n蝶番 | 340円\n南京錠 | 990円", 0.9);
        assertThat(ExtractedAnswer.of("南京錠の値段", List.of(table))).isEqualTo("- 品目: 南京錠; 値段: 990円 [1]");
    }

    @Test
    void whatStandsAboveATextIsNotQuotedAsASentenceOfIt() {
        var mail = new ExtractedAnswer.Passage("Delivery\nMail 3", """
            From: Ann <ann@example.org>
            To: delivery@example.org
            Date: 3 May 2026

            The delivery comes on Tuesday.
            """, 0.9);
        assertThat(ExtractedAnswer.of("When does the delivery come, Ann?", List.of(mail)))
                .isEqualTo("- The delivery comes on Tuesday. [1]");
        var known = new ExtractedAnswer.Passage(
                "Terms\nCosts › When is a deposit due?", "When is a deposit due?\n\nWithin ten days.", 0.9);
        assertThat(ExtractedAnswer.of("When is the deposit due?", List.of(known)))
                .isEqualTo("- Within ten days. [1]");
        var lead = new ExtractedAnswer.Passage("", "Parking rules\nCars that visit us stand behind the old barn.", 0.9);
        assertThat(ExtractedAnswer.of("Where do cars stand?", List.of(lead)))
                .isEqualTo("- Cars that visit us stand behind the old barn. [1]");
    }

    @Test
    void aPassageInAScriptWithoutSpacesAnswersOnlyWhatItHasSomethingOf() {
        var lease = new ExtractedAnswer.Passage("租约", "退租时，房东在三十天内退还押金。", 0.95);
        assertThat(lease.isLikely("从北京到上海的机票要多少钱？")).isFalse();
        assertThat(lease.isLikely("房东什么时候退还押金？")).isTrue();
        var ski = new ExtractedAnswer.Passage("休暇", "夏の休みは八月です。", 0.15);
        assertThat(ski.isLikely("スキー場の休みはいつですか。駐車場はどこですか。")).isFalse();
        // An answer in another language has none of the words.
        assertThat(new ExtractedAnswer.Passage("Lease", "The deposit is paid back within thirty days.", 0.9)
                        .isLikely("房东什么时候退还押金？"))
                .isTrue();
    }

    @Test
    void aTextIsComparedWithAQuestionHoweverItsWordsAreSpelled() {
        for (var code : List.of("LX4471B", "LX-4471-B", "ＬＸ－４４７１－Ｂ", "lx4471-b")) {
            assertThat(ExtractedAnswer.coverage(code, "The filter ＬＸ４４７１-Ｂ fits."))
                    .as(code)
                    .isOne();
        }
        assertThat(ExtractedAnswer.coverage("粗大ごみ", "粗大ゴミは電話で")).isOne();
        assertThat(ExtractedAnswer.coverage("What is C++?", "C and the rest")).isZero();
    }

    @Test
    void theTitleSaysWhatAPassageIsAbout() {
        assertThat(new ExtractedAnswer.Passage("Swimming pool", "Opens at seven.", 0.05)
                        .isLikely("When does the swimming pool open?"))
                .isTrue();
        assertThat(new ExtractedAnswer.Passage("", "Opens at seven.", 0.05)
                        .isLikely("When does the swimming pool open?"))
                .isFalse();
    }
}
