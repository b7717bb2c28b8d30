package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.i18n.Text;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class LineReaderTest {

    private static LineReader csv(String text) {
        return LineReader.of(TestImports.stream(text), TestImports.CSV);
    }

    private static LineReader jsonl(String text) {
        return LineReader.of(TestImports.stream(text), TestImports.JSONL);
    }

    private static List<FileLine> all(LineReader lines) {
        var all = new ArrayList<FileLine>();
        for (var line = lines.next(); line.isPresent(); line = lines.next()) {
            all.add(line.get());
        }
        return all;
    }

    /** A stream of {@code count} times the same byte, which is not in memory. */
    private static InputStream endless(long count) {
        return new InputStream() {
            private long left = count;

            @Override
            public int read() {
                return left-- > 0 ? 'x' : -1;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                if (left <= 0) {
                    return -1;
                }
                int some = (int) Math.min(left, length);
                Arrays.fill(buffer, offset, offset + some, (byte) 'x');
                left -= some;
                return some;
            }
        };
    }

    @Test
    void theApostropheBeforeAFormulaIsTakenAwayUnlessCellsAreRaw() {
        var text = "a,b\n'=1,'x\n";
        assertThat(all(csv(text))).containsExactly(new FileLine.Cells(2, List.of("=1", "'x")));
        var raw = new ImportOptions(FileFormat.CSV, ",", "UTC", false, false, 1, true, null, null);
        assertThat(all(LineReader.of(TestImports.stream(text), raw)))
                .containsExactly(new FileLine.Cells(2, List.of("'=1", "'x")));
    }

    @ParameterizedTest
    @CsvSource({
        "Shift_JIS, 名前・東京の本社にいる田中さん",
        "EUC-JP, 名前・東京の本社にいる田中さん",
        "UTF-16, 名前・東京の本社にいる田中さん",
        "UTF-16LE, 名前・東京の本社にいる田中さん",
        "GBK, 本系统的数据库每天晚上自动备份",
        "windows-1252, Über den Flüssen hängt müde der Nebel",
        "windows-1251, Все счастливые семьи похожи друг на друга",
        "UTF-8, 名前・東京の本社にいる田中さん"
    })
    void aFileIsReadInTheEncodingThatItIsIn(String charset, String text) {
        var bytes = ("a,b\n1,\"" + text + "\"\n2,x\n").getBytes(Charset.forName(charset));
        assertThat(all(LineReader.of(new ByteArrayInputStream(bytes), TestImports.CSV)))
                .containsExactly(new FileLine.Cells(2, List.of("1", text)), new FileLine.Cells(3, List.of("2", "x")));
    }

    @Test
    void anEncodingThatCannotBeToldIsRefused() {
        var bytes = new byte[] {'a', '\n', (byte) 0x81, (byte) 0xFF, (byte) 0x90, (byte) 0xFE, '\n'};
        assertThatThrownBy(() -> LineReader.of(new ByteArrayInputStream(bytes), TestImports.CSV))
                .isInstanceOfSatisfying(
                        MalformedFileException.class,
                        refusal -> assertThat(refusal.error().message())
                                .isEqualTo(Text.of("records.transfer.unknown-encoding")));
    }

    @Test
    void columnsWithoutNamesAreCalledByTheirPlace() {
        var lines = csv(",a,,column 3,,\n0,1,,2,,\n3,7,8\n");
        assertThat(lines.columns()).containsExactly("column 1", "a", "column 3 2", "column 3", "column 5", "column 6");
        assertThat(lines.unnamed()).containsExactlyInAnyOrder("column 1", "column 3 2", "column 5", "column 6");
        assertThat(all(lines))
                .containsExactly(
                        new FileLine.Cells(2, List.of("0", "1", "", "2", "", "")),
                        new FileLine.Unreadable(3, Text.of("records.transfer.cells", "cells", 3, "named", 6)));
    }

    @Test
    void theNamesOfTheColumnsMayComeAfterTitles() {
        var options = new ImportOptions(FileFormat.CSV, "", "UTC", false, false, null).withHeaderRow(3);
        for (var text : List.of("Sales, \"of May\r\n\r\na;b\r\n1,5;2\r\n", "sep=;\nSales\na;b\n1,5;2\n")) {
            var lines = LineReader.of(TestImports.stream(text), options);
            assertThat(lines.columns()).containsExactly("a", "b");
            assertThat(all(lines)).containsExactly(new FileLine.Cells(4, List.of("1,5", "2")));
        }
        assertThatThrownBy(() -> LineReader.of(TestImports.stream("a\n1\n"), options))
                .isInstanceOf(MalformedFileException.class);
    }

    @Test
    void quotesDelimitersAndLineBreaksBelongToCells() {
        var lines = csv("a,b\n1,\"x, \"\"y\"\"\nz\"\n2,last");
        assertThat(lines.columns()).containsExactly("a", "b");
        assertThat(all(lines))
                .containsExactly(
                        new FileLine.Cells(2, List.of("1", "x, \"y\"\nz")),
                        new FileLine.Cells(4, List.of("2", "last")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\ry", "x\r", "\r\r", "x\r\ny"})
    void aCarriageReturnInTheLastCellEndsNoRecord(String cell) {
        assertThat(all(csv("a,b\n1,\"" + cell + "\"\n2,z\n")))
                .extracting(line -> ((FileLine.Cells) line).values())
                .containsExactly(List.of("1", cell), List.of("2", "z"));
    }

    @Test
    void aMarkAtTheBeginningIsNoPartOfTheFirstName() {
        assertThat(csv("\uFEFF\"name\",b\n").columns()).containsExactly("name", "b");
        assertThat(all(jsonl("\uFEFF{\"a\":1}\n"))).singleElement().isInstanceOf(FileLine.Values.class);
    }

    @Test
    void aLineWithAnotherNumberOfCellsIsNamedAndTheNextIsRead() {
        assertThat(all(csv("a,b\n1,2,3\n4,5\n6\n")))
                .containsExactly(
                        new FileLine.Unreadable(2, Text.of("records.transfer.cells", "cells", 3, "named", 2)),
                        new FileLine.Cells(3, List.of("4", "5")),
                        new FileLine.Unreadable(4, Text.of("records.transfer.cells", "cells", 1, "named", 2)));
    }

    @Test
    void anotherDelimiterIsTaken() {
        var options = new ImportOptions(FileFormat.CSV, ";", "UTC", false, false, null);
        assertThat(LineReader.of(TestImports.stream("a;b\n1,5;2\n"), options).next())
                .contains(new FileLine.Cells(2, List.of("1,5", "2")));
    }

    @Test
    void whatCannotBeCsvEndsTheFile() {
        assertThatThrownBy(() -> csv("")).isInstanceOf(MalformedFileException.class);
        assertThatThrownBy(() -> all(csv("a,b\n1,2\n\"x\"y,3\n")))
                .isInstanceOfSatisfying(
                        MalformedFileException.class,
                        e -> assertThat(e.error().line()).isEqualTo(3));
        var damaged = new SequenceInputStream(
                TestImports.stream("a\n" + "for\u00eat\n".repeat(60)),
                new ByteArrayInputStream(new byte[] {'x', (byte) 0xEA, '\n'}));
        assertThatThrownBy(() -> all(LineReader.of(damaged, TestImports.CSV)))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageContaining("encoding of its beginning");
    }

    @Test
    void columnsOfOneNameAreNumbered() {
        assertThat(csv("a,a,a 2,b\n1,2,3,4\n").columns()).containsExactly("a", "a 3", "a 2", "b");
    }

    @Test
    void theEncodingMayBeNamed() {
        var bytes = "\u00E9\n1\n".getBytes(StandardCharsets.ISO_8859_1);
        var options = TestImports.CSV.withEncoding("ISO-8859-1");
        assertThat(LineReader.of(new ByteArrayInputStream(bytes), options).columns())
                .containsExactly("\u00E9");
        var greek = TestImports.CSV.withEncoding(FileEncoding.named("iso8859_7").orElseThrow());
        assertThat(LineReader.of(new ByteArrayInputStream(bytes), greek).columns())
                .containsExactly("\u03B9");
        assertThat(FileEncoding.named("no such")).isEmpty();
    }

    @Test
    void aQuoteThatIsNeverClosedIsFoundWhereItsRecordBegins() {
        var lines = csv("a,b\n1,5\" pipe\n2,\"x\n3,y\n4,z\n");
        assertThat(lines.next()).contains(new FileLine.Cells(2, List.of("1", "5\" pipe")));
        assertThatThrownBy(lines::next)
                .isInstanceOfSatisfying(
                        MalformedFileException.class,
                        e -> assertThat(e.error().line()).isEqualTo(3))
                .hasMessageContaining("never closed");
        assertThatThrownBy(() -> csv("a,\"b\n1,2\n")).isInstanceOf(MalformedFileException.class);
        assertThat(all(csv("a\n\"x\"\"\"\n\"\"\n\"z\""))).hasSize(3);
    }

    @Test
    void recordsBeforeTheLineThatIsAskedForArePassedOver() {
        var options = new ImportOptions(FileFormat.CSV, ",", "UTC", false, false, 4, null, null, null);
        assertThat(all(LineReader.of(TestImports.stream("a\n1\n\"2\n\"\n5\n"), options)))
                .containsExactly(new FileLine.Cells(5, List.of("5")));
    }

    @Test
    void theDelimiterIsSaidOrShownByTheFirstLine() throws IOException {
        assertThat(delimiter("a;b\n1,5;2\n", "")).isEqualTo(new CsvDelimiter.Found(';', 0));
        assertThat(delimiter("a\tb,c\n", "")).isEqualTo(new CsvDelimiter.Found('\t', 0));
        assertThat(delimiter("\"a;b;c\",d\n", "")).isEqualTo(new CsvDelimiter.Found(',', 0));
        assertThat(delimiter("name\n1;2\n", "")).isEqualTo(new CsvDelimiter.Found(',', 0));
        assertThat(delimiter("a;b\n", ",")).isEqualTo(new CsvDelimiter.Found(',', 0));
        assertThat(delimiter("sep=|\r\na|b\n", ",")).isEqualTo(new CsvDelimiter.Found('|', 1));
        assertThat(delimiter("", "")).isEqualTo(new CsvDelimiter.Found(',', 0));
        var options = new ImportOptions(FileFormat.CSV, "", "UTC", false, false, null);
        var said = "sep=;\nname;note\nLamp;a, b\n".getBytes(StandardCharsets.UTF_8);
        try (var lines = LineReader.of(new ByteArrayInputStream(said), options)) {
            assertThat(lines.columns()).containsExactly("name", "note");
            assertThat(lines.next())
                    .hasValueSatisfying(line -> assertThat(line.number()).isEqualTo(3));
        }
    }

    private static CsvDelimiter.Found delimiter(String csv, String chosen) throws IOException {
        return CsvDelimiter.of(new BufferedReader(new StringReader(csv)), chosen);
    }

    @Test
    void aBrokenLineOfJsonIsToldByItsPlace() {
        var options = new ImportOptions(FileFormat.JSONL, ",", "UTC", false, false, null);
        var broken = "{\"a\":3\n{\"a\" 4}\n".getBytes(StandardCharsets.UTF_8);
        try (var lines = LineReader.of(new ByteArrayInputStream(broken), options)) {
            assertThat(lines.next())
                    .contains(new FileLine.Unreadable(1, Text.of("records.transfer.json-ends", "line", "1")));
            assertThat(lines.next())
                    .hasValueSatisfying(line -> assertThat(line)
                            .isInstanceOfSatisfying(
                                    FileLine.Unreadable.class,
                                    each -> assertThat(each.message().key()).isEqualTo("records.transfer.no-json")));
        }
    }

    @Test
    void whatTextCannotHoldIsInNoError() {
        var error =
                new LineError(1, "a\0b", Text.of("records.formula.other-type", "reason", "\uD83D" + "x".repeat(1000)));
        assertThat(error.field()).isEqualTo("a\uFFFDb");
        assertThat(String.valueOf(error.message().arguments().get("reason")))
                .startsWith("\uFFFDx")
                .hasSize(300);
        // The end falls between the halves of a pair.
        assertThat(Utf8.isStorable(new LineError(1, "", Text.verbatim("x".repeat(298) + "😀😀"))
                        .message()
                        .toString()))
                .isTrue();
        assertThatThrownBy(() -> csv("a,b\0\n")).isInstanceOf(MalformedFileException.class);
        assertThat(all(jsonl("{\"a\\u0000\":1}\n"))).singleElement().isInstanceOf(FileLine.Unreadable.class);
    }

    @Test
    void anEndlessLineIsNotReadIntoMemory() {
        var csv = new SequenceInputStream(TestImports.stream("a\n1\n"), endless(100L << 20));
        assertThatThrownBy(() -> all(LineReader.of(csv, TestImports.CSV)))
                .isInstanceOfSatisfying(
                        MalformedFileException.class,
                        e -> assertThat(e.error().line()).isEqualTo(3));
        var jsonl = new SequenceInputStream(endless(100L << 20), TestImports.stream("\n{\"a\":1}\n"));
        assertThat(all(LineReader.of(jsonl, TestImports.JSONL)))
                .hasSize(2)
                .first()
                .isEqualTo(new FileLine.Unreadable(1, Text.of("records.transfer.too-long")));
    }

    @Test
    void linesThatAreNoObjectsAreNamedAndEmptyOnesPassedOver() {
        var lines = all(jsonl("{\"a\":1.10}\n\n[1]\n{\n{\"a\":2,\"a\":3}\n{\"b\":null}"));
        assertThat(lines.stream().map(FileLine::number)).containsExactly(1L, 3L, 4L, 5L, 6L);
        assertThat(lines.stream().map(line -> line instanceof FileLine.Values))
                .containsExactly(true, false, false, false, true);
        assertThat(((FileLine.Values) lines.getFirst())
                        .object()
                        .path("a")
                        .decimalValue()
                        .toPlainString())
                .isEqualTo("1.10");
    }

    @Test
    void aBlockOfSnappyIsUnpacked() {
        // "abcd", four of the last two, and a literal.
        var packed = new byte[] {10, 3 << 2, 'a', 'b', 'c', 'd', 1, 2, 1 << 2, 'y', 'z'};
        assertThat(new String(Snappy.unpack(ByteBuffer.wrap(packed), 10), StandardCharsets.US_ASCII))
                .isEqualTo("abcdcdcdyz");
        packed[7] = 9;
        assertThatThrownBy(() -> Snappy.unpack(ByteBuffer.wrap(packed), 10))
                .isInstanceOf(ThriftInput.BrokenException.class);
    }

    @Test
    void runsAndPackedBitsAreReadByTurns() {
        var numbers =
                new RunLengths(ByteBuffer.wrap(new byte[] {3 << 1, 2, 3, 0b01_00_11_10, (byte) 0b11_10_01_00}), 2);
        assertThat(IntStream.range(0, 11).map(_ -> numbers.next())).containsExactly(2, 2, 2, 2, 3, 0, 1, 0, 1, 2, 3);
    }
}
