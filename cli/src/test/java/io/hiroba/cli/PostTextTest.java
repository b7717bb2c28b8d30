package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PostTextTest {

    private static List<String> lines(String snippet) {
        return SnippetText.lines(CliJson.read(snippet).orElseThrow());
    }

    @Test
    void blocksStandOnLinesOfTheirOwn() {
        assertThat(lines("""
                        [{"T":"h1","X":"Title"},
                         {"T":"p","C":[{"X":"a "},{"T":"em","X":"b"},{"T":"br"},{"X":"c "},{"T":"img","SR":"/x","AT":"a cat"}]},
                         {"T":"ul","C":[{"T":"li","X":"one"},{"T":"li","C":[{"T":"p","X":"two"},{"T":"p","X":"more"}]}]},
                         {"T":"blockquote","C":[{"T":"p","X":"said"},{"T":"p","X":"again"}]},
                         {"T":"pre","C":[{"T":"code","X":"x = 1\\ny = 2\\n"}]},
                         {"T":"p","X":"end …"},{"T":"omitted"}]"""))
                .containsExactly(
                        "Title",
                        "a b",
                        "c [a cat]",
                        "• one",
                        "• two",
                        "  more",
                        "> said",
                        "> again",
                        "    x = 1",
                        "    y = 2",
                        "end …");
    }

    @Test
    void anOrderedListCountsFromItsStart() {
        assertThat(lines("""
                        [{"T":"ol","ST":"9","C":[{"T":"li","X":"a"},{"T":"li","C":[{"T":"p","X":"b"},{"T":"p","X":"c"}]}]},
                         {"T":"p","X":"d"}]""")).containsExactly("9. a", "10. b", "    c", "d");
    }

    @Test
    void aTableIsARowALine() {
        assertThat(lines("""
                        [{"T":"table","C":[{"T":"thead","C":[{"T":"tr","C":[{"T":"th","X":"a"},{"T":"th","X":"b"}]}]},
                          {"T":"tbody","C":[{"T":"tr","C":[{"T":"td","X":"1"},{"T":"td","X":"2"}]}]}]}]""")).containsExactly("a  b", "1  2");
    }

    @Test
    void whatIsUnknownIsItsChildren() {
        assertThat(lines("[{\"T\":\"marquee\",\"C\":[{\"X\":\"still \"},{\"T\":\"blink\",\"X\":\"here\"}]},7,null]"))
                .containsExactly("still here");
        assertThat(lines("{}")).isEmpty();
    }

    @Test
    void linesBreakBetweenWordsAndBetweenWideCharacters() {
        assertThat(Paragraph.of("one two three").lines(8, false)).containsExactly("one two", "three");
        assertThat(Paragraph.of("広場に人が集まる").lines(8, false))
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(8));
        assertThat(Paragraph.of("unbreakablylong word").lines(5, false)).containsExactly("unbreakablylong", "word");
    }

    @Test
    void boldGoesOnAcrossALineBreak() {
        assertThat(new Paragraph().add("a ", false).add("bb cc", true).lines(4, true))
                .containsExactly("a \u001b[1mbb\u001b[0m", "\u001b[1mcc\u001b[0m");
    }
}
