package io.hiroba.platform.i18n;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts in columns. */
class StoredTextTest {

    @Test
    void aStoredTextIsReadInEachLanguage() {
        var error = Text.of(
                "records.transfer.in-field",
                "field",
                "price",
                "message",
                Text.of("records.field.min-length", "min", 2));
        var text = Text.of("records.transfer.stopped", "line", "3", "error", error, "rows", 1200L);
        var read = StoredText.read(StoredText.write(text));
        assertThat(read.in(Language.ENGLISH))
                .isEqualTo(
                        "Line 3: `price` must have at least 2 characters. The 1,200 records before it were imported: "
                                + "fix it and continue from line 3.");
        assertThat(read.in(Language.JAPANESE)).startsWith("3行目：`price`：2文字以上にしてください。");
        assertThat(read.in(Language.CHINESE)).startsWith("第 3 行：`price`：至少需要 2 个字符。");
    }

    @Test
    void aListStaysAList() {
        var uses = List.of(
                Text.of("records.query.index-sorted", "times", 5), Text.of("records.query.index-filtered", "times", 6));
        var text =
                Text.of("records.query.index-used", "attribute", "price", "uses", uses, "days", 7, "records", 10_500);
        assertThat(StoredText.read(StoredText.write(text)).in(Language.JAPANESE))
                .isEqualTo("過去7日間の `price` の使用：並べ替え5回、フィルター6回（レコード10,500件）。");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "It failed 5 times at the same place.",
                "{not JSON",
                "{}",
                "{\"key\":1,\"arguments\":{}}",
                "{\"key\":\"records.transfer.gone\",\"arguments\":{}}"
            })
    void whatIsNoMessageIsShownAsItIs(String stored) {
        assertThat(StoredText.read(stored).in(Language.CHINESE)).isEqualTo(stored);
    }

    @Test
    void wordsOfAnotherProgramStayAsTheyAre() {
        var words = "{\"key\":\"records.field.number\"}";
        assertThat(StoredText.read(StoredText.write(Text.verbatim(words))).toString())
                .isEqualTo(words);
    }
}
