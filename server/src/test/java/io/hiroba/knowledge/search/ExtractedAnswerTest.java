package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentences that answer a question. */
class ExtractedAnswerTest {

    @Test
    void sentencesAreChosenByTheirWordsAndCiteNothingOfOthers() {
        var guide = new ExtractedAnswer.Passage("""
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
        var rules = new ExtractedAnswer.Passage("""
                House rules

                Quiet hours

                From ten in the evening until seven in the morning nobody drills, hammers or
                practises the trumpet. On Sundays the quiet lasts all day, except for
                children.
                """, 0.9);
        assertThat(ExtractedAnswer.of("When is it quiet?", List.of(rules)))
                .isEqualTo(
                        "- On Sundays the quiet lasts all day, except for children. [1]\n- From ten in the evening until"
                                + " seven in the morning nobody drills, hammers or practises the trumpet. [1]");

        var shed = new ExtractedAnswer.Passage("A cordless drill, two spades and a ladder.", 0.01);
        var back = new ExtractedAnswer.Passage("# Giving back\n\nHang it up.\nThen write it down.", 0.2);
        assertThat(ExtractedAnswer.of("How do I return the drill?", List.of(back, shed)))
                .isEqualTo("- Hang it up. [1]");

        var bath = new ExtractedAnswer.Passage("使ったあと\n\n湯を抜いたら、薄めた重曹水を\nスポンジにつけます。", 0.9);
        assertThat(ExtractedAnswer.of("重曹水", List.of(bath))).isEqualTo("- 湯を抜いたら、薄めた重曹水をスポンジにつけます。 [1]");
    }

    @Test
    void signsBeforeNumbersAndMarksOfWordsStay() {
        var rules = new ExtractedAnswer.Passage("""
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
}
