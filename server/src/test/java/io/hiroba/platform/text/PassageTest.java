package io.hiroba.platform.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.text.Passage.Piece;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PassageTest {

    /** Hits in brackets. */
    private static String passage(String text, String... phrases) {
        return Passage.of(text, Stream.of(phrases).map(Phrase::of).toList(), 60).stream()
                .map(piece -> piece.hit() ? "[" + piece.text() + "]" : piece.text())
                .collect(Collectors.joining());
    }

    @Test
    void whatWasLookedForIsToldApartAsItWasWritten() {
        assertThat(passage("She Runs, I ran", "running")).isEqualTo("She [Runs], I ran");
        assertThat(passage("東京都庁へ行く", "京都庁")).isEqualTo("東[京都庁]へ行く");
        assertThat(passage("犬がいる", "犬")).isEqualTo("[犬]がいる");
    }

    @Test
    void aPhraseIsOneHitAndItsWordsAloneAreNone() {
        assertThat(passage("public square, square public", "public square"))
                .isEqualTo("[public square], square public");
    }

    @Test
    void thePassageIsWhereTheWordsStandTogether() {
        var text = "alpha " + "filler ".repeat(40) + "here alpha meets beta at last " + "filler ".repeat(40);
        assertThat(passage(text, "alpha", "beta"))
                .startsWith("…")
                .endsWith("…")
                .contains("[alpha] meets [beta]")
                .hasSizeLessThan(80);
    }

    @Test
    void aTextWithoutHitsShowsItsBeginning() {
        assertThat(passage("nothing to see", "alpha")).isEqualTo("nothing to see");
        assertThat(passage("word ".repeat(100), "alpha"))
                .startsWith("word word")
                .endsWith("word…");
    }

    @Test
    void aCutDividesNoCharacter() {
        var family = "👨‍👩‍👧";
        var pieces = Passage.of(family.repeat(50) + "犬" + family.repeat(50), List.of(Phrase.of("犬")), 60);
        var shown = pieces.stream().map(Piece::text).collect(Collectors.joining());
        assertThat(shown.replace(family, "").replace("…", "")).isEqualTo("犬");
        assertThat(pieces).contains(new Piece("犬", true));
    }
}
