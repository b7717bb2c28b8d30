package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.documents.Block.Items;
import io.hiroba.knowledge.documents.Block.Table;
import io.hiroba.knowledge.documents.Block.Text;
import io.hiroba.knowledge.documents.Section.Numbering;
import io.hiroba.platform.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workbooks, presentations, OpenDocument texts and books. */
@Tag("slow")
class OfficeReadersTest {

    private final DocumentReader readers = new DocumentReader();

    private static byte[] archive(Map<String, String> parts) {
        var out = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(out)) {
            for (var part : parts.entrySet()) {
                var bytes = part.getValue().getBytes(StandardCharsets.UTF_8);
                var entry = new ZipEntry(part.getKey());
                if (part.getKey().equals("mimetype")) {
                    var crc = new CRC32();
                    crc.update(bytes);
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(bytes.length);
                    entry.setCrc(crc.getValue());
                }
                zip.putNextEntry(entry);
                zip.write(bytes);
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static Map<String, String> parts(String... namesAndTexts) {
        var parts = new LinkedHashMap<String, String>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            parts.put(namesAndTexts[i], namesAndTexts[i + 1]);
        }
        return parts;
    }

    private ParsedDocument read(DocumentType expected, byte[] file) {
        assertThat(DocumentType.of("application/zip", "file", null, file)).isEqualTo(expected);
        return readers.read(expected, file, null);
    }

    private static void refused(Runnable reading, String why) {
        assertThatThrownBy(reading::run)
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.getMessage()).contains(why));
    }

    private static Map<String, String> workbook(String strings, String sheet) {
        return parts(
                "xl/workbook.xml", """
                <workbook xmlns:r="urn:r"><workbookPr/><sheets><sheet name="Sales 売上" sheetId="1" r:id="rId1"/>
                <sheet name="Empty" sheetId="2" r:id="rId2"/></sheets></workbook>
                """,
                "xl/_rels/workbook.xml.rels", """
                <Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>
                <Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>
                """,
                "xl/styles.xml", """
                <styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts>
                <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
                <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>
                """,
                "xl/sharedStrings.xml", "<sst>" + strings + "</sst>",
                "xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + sheet + "</sheetData></worksheet>",
                "xl/worksheets/sheet2.xml", "<worksheet><sheetData/></worksheet>");
    }

    @Test
    void aWorkbookIsReadSheetBySheetAndRowByRow() {
        var file = archive(workbook("""
                <si><t>Name</t></si><si><t>Day</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>
                """, """
                <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Sum</t></is></c></row>
                <row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3" s="1"><v>45382</v></c><c r="C3"><f>SUM(1)</f><v>1.1000000000000001</v></c></row>
                <row r="4"><c r="A4" t="str"><f>x</f><v>made</v></c><c r="C4" t="b"><v>1</v></c></row>
                <row r="5"><c r="A5" s="2"><v>45382</v></c><c r="B5" s="3"><v>45382.5</v></c></row>
                """));
        var reading = read(DocumentType.XLSX, file);
        assertThat(reading.facts()).containsEntry("sheet_count", 2);
        assertThat(reading.sections())
                .containsExactly(Section.of(
                        List.of("Sales 売上"),
                        List.of(new Table(
                                "Name | Day | Sum",
                                List.of("東京 | 2024-03-31 | 1.1", "made |  | TRUE", "2024-03-31 | 2024-03-31 12:00"),
                                List.of(3, 4, 5)))));
        assertThat(labels(reading)).containsExactly("Sales 売上 › Rows 3–5");
    }

    @Test
    void timesAndPercentagesAreReadAsPeopleSeeThem() {
        var parts = workbook("", """
                <row r="1"><c r="A1" t="str"><v>Time</v></c></row>
                <row r="2"><c r="A2" s="1"><v>1.2604166666666667</v></c><c r="B2" s="2"><v>0.5</v></c><c r="C2" s="2"><v>-0.0001157407</v></c></row>
                <row r="3"><c r="A3" s="3"><v>0.25</v></c><c r="B3" s="4"><v>0.125</v></c><c r="C3" s="5"><v>7</v></c></row>
                """);
        parts.put("xl/styles.xml", """
                <styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm:ss"/><numFmt numFmtId="165" formatCode="0.0%"/>
                <numFmt numFmtId="166" formatCode="0&quot;%&quot;"/></numFmts>
                <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="46"/><xf numFmtId="9"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>
                """);
        assertThat(read(DocumentType.XLSX, archive(parts)).sections().getFirst().blocks())
                .containsExactly(
                        new Table("Time", List.of("30:15 | 12:00 | -0:00:10", "25% | 12.5% | 7"), List.of(2, 3)));
    }

    private static List<String> labels(ParsedDocument reading) {
        return new Chunker(100)
                .chunks("T", null, reading).stream()
                        .map(NewChunk::location)
                        .map(location -> location.label())
                        .toList();
    }

    @Test
    void theRowsOfALongSheetAreNamed() {
        var rows = IntStream.rangeClosed(1, 60)
                .mapToObj(i ->
                        "<row r='%d'><c t='inlineStr'><is><t>Number %d of the list</t></is></c></row>".formatted(i, i))
                .collect(Collectors.joining());
        var labels = labels(read(DocumentType.XLSX, archive(workbook("", rows))));
        assertThat(labels).hasSizeGreaterThan(3).allMatch(label -> label.matches("Sales 売上 › Rows? [0-9–]+"));
        assertThat(labels.getFirst()).startsWith("Sales 売上 › Rows 2–");
        assertThat(labels.getLast()).endsWith("60");
    }

    @Test
    void aWorkbookThatRepeatsALongTextIsRefused() {
        var text = "<si><t>" + "long ".repeat(20_000) + "</t></si>";
        var rows = "<row><c t='s'><v>0</v></c></row>".repeat(1_000);
        refused(() -> XlsxReader.read(archive(workbook(text, rows))), "decompresses");
        refused(() -> XlsxReader.read(archive(workbook("", "<row/>".repeat(3) + "<row><c t='x'><v>1</v>"))), "corrupt");
    }

    @Test
    void partsThatAreNamedWithoutEndAreNotReadWithoutEnd() {
        var book = workbook("", "<row>" + " ".repeat(35 << 20) + "</row>");
        var sheets = IntStream.range(0, 5)
                .mapToObj(i -> "<sheet name='%d' r:id='rId1'/>".formatted(i))
                .collect(Collectors.joining());
        book.put("xl/workbook.xml", "<workbook xmlns:r='urn:r'><sheets>" + sheets + "</sheets></workbook>");
        refused(() -> XlsxReader.read(archive(book)), "decompresses");
        var wide = workbook(
                "<si><t>" + "long ".repeat(200_000) + "</t></si>",
                "<row>" + "<c t='s'><v>0</v></c>".repeat(1000) + "</row>");
        refused(() -> XlsxReader.read(archive(wide)), "decompresses");
    }

    @Test
    void entitiesAreNotFollowed() {
        var laughs = "<!DOCTYPE d [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>";
        var book = workbook("", "");
        book.put("xl/sharedStrings.xml", laughs + "<sst><si><t>&b;</t></si></sst>");
        refused(() -> XlsxReader.read(archive(book)), "corrupt");
        var text = parts("mimetype", OdtReader.MEDIA_TYPE, "content.xml", laughs + "<t><p>&b;</p></t>");
        refused(() -> OdtReader.read(archive(text)), "corrupt");
    }

    @Test
    void aPresentationIsReadSlideBySlideWithItsNotes() {
        var file = archive(parts(
                "ppt/presentation.xml",
                """
                <p:presentation xmlns:p="urn:p" xmlns:r="urn:r"><p:sldIdLst><p:sldId id="257" r:id="rId2"/>
                <p:sldId id="256" r:id="rId1"/><p:sldId id="258" r:id="rId1"/></p:sldIdLst></p:presentation>
                """,
                "ppt/_rels/presentation.xml.rels",
                """
                <Relationships><Relationship Id="rId1" Target="slides/slide1.xml"/>
                <Relationship Id="rId2" Target="slides/slide2.xml"/></Relationships>
                """,
                "ppt/slides/slide1.xml",
                """
                <p:sld xmlns:p="urn:p" xmlns:a="urn:a"><p:sp><p:txBody><a:p><a:r><a:t>No </a:t></a:r><a:r><a:t>title</a:t></a:r></a:p></p:txBody></p:sp>
                <a:tbl><a:tr><a:tc><a:p><a:t>a</a:t></a:p></a:tc><a:tc><a:p><a:t>b</a:t></a:p></a:tc></a:tr>
                <a:tr><a:tc><a:p><a:t>1</a:t></a:p></a:tc><a:tc><a:p><a:t>2</a:t></a:p></a:tc></a:tr></a:tbl></p:sld>
                """,
                "ppt/slides/slide2.xml",
                """
                <p:sld xmlns:p="urn:p" xmlns:a="urn:a"><p:sp><p:nvPr><p:ph type="ctrTitle"/></p:nvPr><p:txBody><a:p><a:t>Plan</a:t></a:p></p:txBody></p:sp>
                <p:sp><p:txBody><a:p><a:t>First</a:t></a:p><a:p><a:t>Second</a:t></a:p></p:txBody></p:sp></p:sld>
                """,
                "ppt/slides/_rels/slide2.xml.rels",
                "<Relationships><Relationship Id=\"rId1\" Target=\"../notesSlides/notesSlide1.xml\"/></Relationships>",
                "ppt/notesSlides/notesSlide1.xml",
                """
                <p:notes xmlns:p="urn:p" xmlns:a="urn:a"><p:sp><p:ph type="sldNum"/><p:txBody><a:p><a:t>2</a:t></a:p></p:txBody></p:sp>
                <p:sp><p:ph type="body"/><p:txBody><a:p><a:t>Speak slowly.</a:t></a:p></p:txBody></p:sp></p:notes>
                """));
        var reading = read(DocumentType.PPTX, file);
        assertThat(reading.title()).isEqualTo("Plan");
        assertThat(reading.sections())
                .containsExactly(
                        new Section(
                                List.of("Plan"),
                                1,
                                null,
                                List.of(new Text("First\nSecond"), new Text("Speak slowly.")),
                                Numbering.SLIDE),
                        new Section(
                                List.of(),
                                2,
                                null,
                                List.of(new Text("No title"), new Table("a | b", List.of("1 | 2"))),
                                Numbering.SLIDE));
        assertThat(labels(reading)).containsExactly("Slide 1 › Plan", "Slide 2");
    }

    @Test
    void anOpenDocumentTextIsRead() {
        var content = """
                <office:document-content xmlns:office="urn:o" xmlns:text="urn:t" xmlns:table="urn:b"><office:body><office:text>
                <text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes>
                <text:h text:outline-level="1">Install</text:h><text:p>Some<text:note><text:note-citation>1</text:note-citation></text:note><text:s text:c="2"/>text.<text:line-break/>More</text:p>
                <text:h text:outline-level="2">Linux</text:h>
                <text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list>
                <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell/></table:table-row>
                <table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>
                </office:text></office:body></office:document-content>
                """;
        var reading = read(
                DocumentType.ODT,
                archive(parts(
                        "mimetype",
                        OdtReader.MEDIA_TYPE,
                        "content.xml",
                        content,
                        "meta.xml",
                        "<m><title>Manual</title></m>")));
        assertThat(reading.title()).isEqualTo("Manual");
        assertThat(reading.sections())
                .containsExactly(
                        Section.of(List.of("Install"), List.of(new Text("Some  text.\nMore"))),
                        Section.of(
                                List.of("Install", "Linux"),
                                List.of(new Items(List.of("- one", "  - two")), new Table("a | ", List.of("1 | 2")))));
        assertThat(DocumentType.of(
                        null, "a.odt", null, archive(parts("content.xml", content, "mimetype", OdtReader.MEDIA_TYPE))))
                .isEqualTo(DocumentType.ODT);
        refused(
                () -> OdtReader.read(archive(
                        parts("META-INF/manifest.xml", "<m><encryption-data/></m>", "content.xml", "\u0001\u0002"))),
                "encrypted");
    }

    private static Map<String, String> book(String encryption) {
        return parts(
                "mimetype",
                EpubReader.MEDIA_TYPE,
                "META-INF/container.xml",
                "<container><rootfiles><rootfile full-path=\"OEBPS/content.opf\"/></rootfiles></container>",
                "META-INF/encryption.xml",
                "<encryption><EncryptionMethod Algorithm=\"" + encryption + "\"/></encryption>",
                "OEBPS/content.opf",
                """
                <package xmlns:dc="urn:dc"><metadata><dc:title>Kokoro</dc:title></metadata><manifest>
                <item id="b" href="text/two.xhtml"/><item id="a" href="text/one%20.xhtml"/><item id="c" href="gone.xhtml"/></manifest>
                <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="a"/><itemref idref="c"/></spine></package>
                """,
                "OEBPS/text/one .xhtml",
                """
                <?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html><head><title>Kokoro</title></head><body><p>I always called him Sensei.</p></body></html>
                """,
                "OEBPS/text/two.xhtml",
                "<html><head><title>x</title></head><body><h1>先生と私</h1><p>私はその人を常に先生と呼んでいた。</p></body></html>");
    }

    @Test
    void aBookIsReadChapterByChapter() {
        var reading = read(DocumentType.EPUB, archive(book("http://www.idpf.org/2008/embedding")));
        assertThat(reading.title()).isEqualTo("Kokoro");
        assertThat(reading.sections())
                .containsExactly(
                        new Section(
                                List.of(),
                                1,
                                null,
                                List.of(new Text("I always called him Sensei.")),
                                Numbering.CHAPTER),
                        new Section(
                                List.of("先生と私"), 2, null, List.of(new Text("私はその人を常に先生と呼んでいた。")), Numbering.CHAPTER));
        assertThat(labels(reading)).containsExactly("Chapter 1", "先生と私");
        refused(() -> EpubReader.read(archive(book("http://www.w3.org/2001/04/xmlenc#aes128-cbc"))), "encrypted");
    }

    @Test
    void anArchiveOfSomethingElseIsRefused() {
        refused(() -> DocumentType.of(null, "a.zip", null, archive(parts("a.txt", "x\0y"))), "unsupported");
        // The names of an archive inside the archive do not count.
        var inner = new String(archive(workbook("", "")), StandardCharsets.ISO_8859_1);
        refused(() -> DocumentType.of(null, "a.zip", null, archive(parts("mimetype", inner))), "unsupported");
    }
}
