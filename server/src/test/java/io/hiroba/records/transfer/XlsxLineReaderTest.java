package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class XlsxLineReaderTest {

    private static final String STYLES = """
            <styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-411]ggge&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/>
            <numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="166" formatCode="[Red]#,##0.00&quot; dm&quot;"/>
            <numFmt numFmtId="167" formatCode="[h]:mm:ss"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
            <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="165"/>
            <xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="167"/></cellXfs></styleSheet>""";

    private static final ImportOptions XLSX = new ImportOptions(FileFormat.XLSX, ",", "UTC", false, false, null);

    private static List<String> read(TestWorkbook workbook, String sheet) {
        return read(workbook, XLSX.withSheet(sheet));
    }

    private static List<String> read(TestWorkbook workbook, ImportOptions options) {
        var read = new ArrayList<String>();
        try (var lines = new XlsxLineReader(workbook.stream(), options)) {
            read.add(lines.columns().toString());
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                read.add(
                        switch (line.get()) {
                            case FileLine.Cells(var number, var values, var types) ->
                                number + " " + values + " " + types;
                            case FileLine.Unreadable(var number, var message) -> number + " " + message;
                            case FileLine.Values values -> throw new AssertionError(values);
                        });
            }
        }
        return read;
    }

    private static String named(String... names) {
        return List.of(names).stream()
                .map(name -> "<c t=\"inlineStr\"><is><t>%s</t></is></c>".formatted(name))
                .collect(Collectors.joining("", "<row>", "</row>"));
    }

    private static void assertRefused(ThrowingCallable reading, String message) {
        assertThatThrownBy(reading).isInstanceOf(MalformedFileException.class).hasMessageContaining(message);
    }

    @Test
    void cellsAreReadAsTheirTypesSay() {
        var workbook = new TestWorkbook()
                .part("xl/styles.xml", STYLES)
                .part("xl/sharedStrings.xml", """
                        <sst><si><t>名前</t><rPh sb="0" eb="1"><t>ナマエ</t></rPh></si><si><r><t>rich </t></r><r><t xml:space="preserve"> text</t></r></si>
                        <si><t>_x000D_a_x005F_x000D_</t></si></sst>""")
                .rows("""
                        <row r="1"/><row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="inlineStr"><is><t>n</t></is></c><c r="E3" t="str"><v>d</v></c></row>
                        <row r="4"><c r="B4" t="s"><v>1</v></c><c r="C4"><v>0.30000000000000004</v></c><c r="E4" s="1"><v>46053</v></c></row>
                        <row r="5"><c r="B5" t="s"><v>2</v></c><c r="C5" s="3"><f>A1</f><v>0.25</v></c><c r="E5" s="5"><v>46053.4375</v></c></row>
                        <row r="9" spans="1:5"><c r="B9" t="b"><v>1</v></c><c r="C9" s="6"><v>-1234.5</v></c><c r="E9" s="4"><v>46053</v></c></row>
                        <row r="10"><c r="B10" s="7"><v>0.5</v></c><c r="C10"><v>12345678901234567</v></c><c r="E10" s="2"><v>46053</v></c></row>
                        <row r="11"><c r="B11" s="8"><v>1.5</v></c><c r="C11"><v>1.5E+3</v></c><c r="E11" t="d"><v>2026-01-31</v></c></row>
                        <row r="12"><c r="C12"/><c r="E12" s="1"/></row>
                        <row r="13"><c r="B13" t="inlineStr"><is><t>=1+1</t></is></c><c r="E13" s="1"><v>59</v></c></row>""");
        assertThat(read(workbook, XLSX))
                .containsExactly(
                        "[名前, n, d]",
                        "4 [rich  text, 0.3, 2026-01-31] [TEXT, NUMERIC, DATE]",
                        "5 [\ra_x000D_, 25%, 2026-01-31T10:30:00] [TEXT, NUMERIC, DATETIME]",
                        "9 [true, -1234.5, 2026-01-31] [BOOL, NUMERIC, DATE]",
                        "10 [12:00:00, 12345678901234567, 2026-01-31T00:00:00] [TEXT, NUMERIC, DATETIME]",
                        "11 [36:00:00, 1500, 2026-01-31] [NUMERIC, NUMERIC, DATE]",
                        "13 [=1+1, , 1900-02-28] [TEXT, TEXT, DATE]");
    }

    @Test
    void aSheetIsChosenByItsName() {
        var workbook = new TestWorkbook().rows(named("shown"));
        assertThat(read(workbook, XLSX)).containsExactly("[shown]");
        assertThat(read(workbook, "Other")).containsExactly("[other]");
        assertThat(read(workbook, "Notes")).containsExactly("[hidden]");
        assertRefused(() -> read(workbook, "Chart"), "has no sheet `Chart`, but these: Notes, 商品, Other");
    }

    @Test
    void daysMayBeCountedFrom1904() {
        var workbook = new TestWorkbook()
                .part("xl/workbook.xml", """
                        <workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>""")
                .part("xl/styles.xml", STYLES)
                .rows(named("d") + "<row><c s=\"1\"><v>0</v></c></row><row><c s=\"1\"><v>44591</v></c></row>");
        assertThat(read(workbook, XLSX)).containsExactly("[d]", "2 [1904-01-01] [DATE]", "3 [2026-01-31] [DATE]");
    }

    @Test
    void aCellThatHasNoValueIsAnErrorOfItsRow() {
        var workbook = new TestWorkbook().part("xl/styles.xml", STYLES).rows(named("a", "b") + """
                        <row><c t="e"><v>#DIV/0!</v></c></row><row><c/><c><f>NOW()</f></c></row><row><c/><c/><c><v>1</v></c></row>
                        <row><c s="1"><v>60</v></c></row><row><c s="1"><v>-1</v></c></row><row><c t="s"><v>7</v></c></row><row><c><v>2</v></c></row>""");
        assertThat(read(workbook, XLSX))
                .containsExactly(
                        "[a, b, column 3]",
                        "2 A2: holds the error #DIV/0!",
                        "3 B3: has a formula without a value: open the workbook in a spreadsheet program and save it",
                        "4 [, , 1] [TEXT, TEXT, NUMERIC]",
                        "5 A5: must be a date that there is",
                        "6 A6: must be a date that there is",
                        "7 A7: refers to a text that is not there",
                        "8 [2, , ] [NUMERIC, TEXT, TEXT]");
        // What is wrong in a column that is left out is of no interest.
        assertThat(read(workbook, XLSX.withColumns(Map.of("a", "", "column 3", ""))))
                .containsExactly(
                        "[a, b, column 3]",
                        "2 [, , ] [TEXT, TEXT, TEXT]",
                        "3 B3: has a formula without a value: open the workbook in a spreadsheet program and save it",
                        "4 [, , ] [TEXT, TEXT, TEXT]",
                        "5 [, , ] [TEXT, TEXT, TEXT]",
                        "6 [, , ] [TEXT, TEXT, TEXT]",
                        "7 [, , ] [TEXT, TEXT, TEXT]",
                        "8 [, , ] [TEXT, TEXT, TEXT]");
    }

    @Test
    void mergedNamesAreThoseOfAllTheirColumnsAndTitlesArePassedOver() {
        var rows = """
                <row r="1"><c r="A1" t="inlineStr"><is><t>Sales</t></is></c></row>
                <row r="3"><c r="A3" t="inlineStr"><is><t>Who</t></is></c><c r="B3" t="inlineStr"><is><t>Period</t></is></c><c r="C3"/></row>
                <row r="4"><c r="A4"/><c r="B4" t="inlineStr"><is><t>from</t></is></c><c r="C4" t="inlineStr"><is><t>to</t></is></c></row>
                <row r="5"><c r="A5"><v>1</v></c><c r="B5"><v>2</v></c><c r="C5"><v>3</v></c><c r="E5"><v>4</v></c></row>""";
        var merged = TestWorkbook.sheet(rows)
                .replace(
                        "</sheetData>",
                        "</sheetData><mergeCells><mergeCell ref=\"A3:A4\"/><mergeCell ref=\"B3:C3\"/></mergeCells>");
        var workbook = new TestWorkbook().part("xl/worksheets/sheet1.xml", merged);
        assertThat(read(workbook, XLSX).getFirst()).isEqualTo("[Sales, column 2, column 3, column 5]");
        assertThat(read(workbook, XLSX.withHeaderRow(2)))
                .containsExactly(
                        "[Who, Period, Period 2, column 5]",
                        "4 [, from, to, ] [TEXT, TEXT, TEXT, TEXT]",
                        "5 [1, 2, 3, 4] [NUMERIC, NUMERIC, NUMERIC, NUMERIC]");
        assertThat(read(workbook, XLSX.withHeaderRow(4)))
                .containsExactly("[Who, from, to, column 5]", "5 [1, 2, 3, 4] [NUMERIC, NUMERIC, NUMERIC, NUMERIC]");
        try (var lines = new XlsxLineReader(workbook.stream(), XLSX.withHeaderRow(3))) {
            assertThat(lines.unnamed()).containsExactlyInAnyOrder("Period 2", "column 5");
        }
        assertRefused(() -> read(workbook, XLSX.withHeaderRow(6)), "the sheet is empty");
    }

    @Test
    void whatIsNoWorkbookIsRefused() {
        for (var bytes : List.of("name,price\n1,2\n", "PK\3\4 and then nothing", "")) {
            var content = new ByteArrayInputStream(bytes.getBytes(StandardCharsets.UTF_8));
            assertRefused(() -> new XlsxLineReader(content, XLSX), "is no XLSX workbook that can be read");
        }
        var document = new TestWorkbook().part("_rels/.rels", "");
        assertRefused(() -> read(document, XLSX), "is no XLSX workbook that can be read");
        assertRefused(() -> read(new TestWorkbook().rows(""), XLSX), "the sheet is empty");
        assertThat(read(new TestWorkbook().rows(named("a", "a", "a 2", "a")), XLSX))
                .containsExactly("[a, a 3, a 2, a 4]");
        assertRefused(() -> read(new TestWorkbook().rows(named("a") + "<row><c></row>"), XLSX), "is damaged");
        var cut = new TestWorkbook().rows(named("a")).bytes();
        assertRefused(
                () -> new XlsxLineReader(new ByteArrayInputStream(cut, 0, cut.length / 2), XLSX),
                "is no XLSX workbook");
    }

    @Test
    void entitiesAreRefused() {
        var workbook = new TestWorkbook().part("xl/worksheets/sheet1.xml", """
                <!DOCTYPE worksheet [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "yyyyyyyyyy">]>
                <worksheet><sheetData><row><c t="inlineStr"><is><t>&x;&y;</t></is></c></row></sheetData></worksheet>""");
        assertRefused(() -> read(workbook, XLSX), "is damaged, or is no XLSX workbook");
    }

    @Test
    void whatUnpacksToTooMuchIsRefused() {
        var endlessCell = new TestWorkbook().part("xl/worksheets/sheet1.xml", out -> {
            out.write("<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 20; i++) {
                out.write(" ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
            }
        });
        assertRefused(() -> read(endlessCell, XLSX), "unpacks to more");
        var strings = new TestWorkbook().rows(named("a")).part("xl/sharedStrings.xml", out -> {
            out.write("<sst>".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 70; i++) {
                out.write(("<si><t>" + "x".repeat(1 << 20) + "</t></si>").getBytes(StandardCharsets.UTF_8));
            }
        });
        assertRefused(() -> read(strings, XLSX), "holds more text");
        var wide = new TestWorkbook()
                .rows("<row>"
                        + IntStream.range(0, 7000)
                                .mapToObj(i -> "<c><v>1</v></c>")
                                .collect(Collectors.joining()) + "</row>");
        assertRefused(() -> read(wide, XLSX), "has more than 6,000 columns");
        var far = new TestWorkbook().rows("<row><c r=\"ZZZZZZZZ1\"><v>1</v></c></row>");
        assertRefused(() -> read(far, XLSX), "has more than 6,000 columns");
        var directory = new TestWorkbook().rows(named("a")).bytes();
        ByteBuffer.wrap(directory).order(ByteOrder.LITTLE_ENDIAN).putInt(directory.length - 10, 1 << 30);
        assertRefused(() -> new XlsxLineReader(new ByteArrayInputStream(directory), XLSX), "unpacks to more");
    }

    @Test
    void aLongSheetOfEscapesIsNoAttack() {
        var text = "<c t=\"inlineStr\"><is><t>" + "&amp;&#x3042;".repeat(100) + "</t></is></c>";
        var rows = new TestWorkbook().part("xl/worksheets/sheet1.xml", out -> {
            out.write(("<worksheet><sheetData>" + named("a")).getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 3_000; i++) {
                out.write(("<row>" + text + "</row>").getBytes(StandardCharsets.UTF_8));
            }
            out.write("</sheetData></worksheet>".getBytes(StandardCharsets.UTF_8));
        });
        assertThat(read(rows, XLSX)).hasSize(3_001);
    }
}
