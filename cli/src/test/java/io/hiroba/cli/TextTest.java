package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest {

    @Test
    void whatATerminalWouldObeyIsNotShownAndATabIsSpaces() {
        assertThat(Text.printable("if x:\n\treturn\u001b[2J\u202e")).isEqualTo("if x:\n    return\ufffd[2J\ufffd");
    }

    @ParameterizedTest
    @CsvSource({"abc, 3", "広場, 4", "ｶﾅ, 2", "é, 1", "e\u0301, 1", "한국, 4", "😀, 2", "👩‍👩‍👧, 2", "𠮷野家, 6", "'', 0"})
    void aTerminalGivesTwoColumnsToAWideCharacter(String text, int columns) {
        assertThat(Text.width(text)).isEqualTo(columns);
    }
}
