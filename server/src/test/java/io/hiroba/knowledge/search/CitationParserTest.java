package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Citations in texts that a model wrote. */
class CitationParserTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "It is so [1].|It is so [1].",
                "It is so [1, 3][2].|It is so [1][2].",
                "It is so [9].|It is so.",
                "It is so [0] or so[12345].|It is so or so[12345].",
                "a[1]b[a]|a[1]b[a]",
                "[2] and [2]|[2] and [2]",
            })
    void onlyWhatIsThereIsCited(String text, String kept) {
        assertThat(CitationParser.in(text, 2).text()).isEqualTo(kept);
    }
}
