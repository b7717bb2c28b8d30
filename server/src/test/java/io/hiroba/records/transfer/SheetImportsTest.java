package io.hiroba.records.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.records.ProjectAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.testkit.TestQueries;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Sheets as people make them, and what is made of their cells. */
@TestInstance(Lifecycle.PER_CLASS)
class SheetImportsTest {

    private static final String[] ATTRIBUTES = {
        "名前 text", "price numeric", "since date", "at datetime", "sold bool", "more jsonb"
    };
    private static final ImportOptions XLSX = xlsx("UTC", false);

    private final TestImports test = new TestImports();
    private final TestQueries queries = new TestQueries(test.records);
    private final Exports exports = new Exports(queries.queries, test.names);

    @AfterAll
    void close() {
        queries.close();
        test.close();
    }

    private static ImportOptions xlsx(String zone, boolean create) {
        return new ImportOptions(FileFormat.XLSX, ",", zone, false, create, null);
    }

    private byte[] export(ProjectAccess access, String schema, Exports.Style style) {
        var out = new ByteArrayOutputStream();
        try {
            exports.begin(access.caller(), access.project().id(), RecordQuery.all(schema), style)
                    .writeTo(out);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private String lines(ProjectAccess access, String schema) {
        var style = new Exports.Style(FileFormat.JSONL, false, true);
        return new String(export(access, schema, style), StandardCharsets.UTF_8);
    }

    private Import imported(ProjectAccess access, String schema, ImportOptions options, byte[] workbook) {
        var id = test.upload(access, schema, options, new ByteArrayInputStream(workbook));
        test.imports.start(access.caller(), access.project().id(), id);
        test.worker().runAll();
        return test.get(access, id);
    }

    @Test
    void durationsAndCodesOfASheetAreWhatIsShown() {
        var owner = test.records.project();
        var workbook = new TestWorkbook().part("xl/styles.xml", """
                        <styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/><numFmt numFmtId="165" formatCode="00000"/></numFmts>
                        <cellXfs><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>""").rows("""
                        <row><c t="inlineStr"><is><t>took</t></is></c><c t="inlineStr"><is><t>zip</t></is></c><c t="inlineStr"><is><t>note</t></is></c></row>
                        <row><c s="0"><v>0.375</v></c><c s="1"><v>1234</v></c><c s="0"><v>-0.5</v></c></row>
                        <row><c s="0"><v>0.5</v></c><c s="1"><v>123456</v></c><c t="inlineStr"><is><t>n/a</t></is></c></row>""");
        assertThat(imported(owner, "trip", xlsx("UTC", true), workbook.bytes()).failure())
                .isNull();
        assertThat(lines(owner, "trip"))
                .isEqualTo("{\"took\":32400,\"zip\":\"01234\",\"note\":\"-12:00:00\"}\n"
                        + "{\"took\":43200,\"zip\":\"123456\",\"note\":\"n/a\"}\n");
        var texts = test.records.project();
        var asTexts = xlsx("UTC", true).withDurations(DurationReading.TEXT);
        assertThat(imported(texts, "trip", asTexts, workbook.bytes()).failure()).isNull();
        assertThat(test.values(texts, 0).keySet()).containsExactlyInAnyOrder("09:00:00", "12:00:00");
        var numbers = test.records.project();
        test.records.schema(numbers, "trip", "zip numeric", "took numeric format=\"duration\"", "note text");
        assertThat(imported(numbers, "trip", XLSX, workbook.bytes()).failure()).isNull();
        assertThat(test.values(numbers, 0).keySet()).containsExactlyInAnyOrder("1234", "123456");
    }

    @Test
    void aSheetWithATitleAndMergedNamesIsImportedOnceItIsSaidWhereTheNamesAre() {
        var owner = test.records.project();
        var sheet = TestWorkbook.sheet("""
                        <row r="1"><c r="A1" t="inlineStr"><is><t>Sales of May</t></is></c></row>
                        <row r="3"><c r="A3" t="inlineStr"><is><t>Who</t></is></c><c r="B3" t="inlineStr"><is><t>Period</t></is></c><c r="C3"/></row>
                        <row r="4"><c r="A4" t="inlineStr"><is><t>Ann</t></is></c><c r="B4"><v>1</v></c><c r="C4"><v>2</v></c></row>""")
                .replace("</sheetData>", "</sheetData><mergeCells><mergeCell ref=\"B3:C3\"/></mergeCells>");
        var workbook =
                new TestWorkbook().part("xl/worksheets/sheet1.xml", sheet).bytes();
        var project = owner.project().id();
        var id = test.upload(owner, "sale", xlsx("UTC", true), new ByteArrayInputStream(workbook));
        assertThat(test.imports.preview(owner.caller(), project, id).columns())
                .extracting(ImportPreview.Column::name)
                .containsExactly("Sales of May", "column 2", "column 3");
        assertThatThrownBy(() -> test.imports.columns(
                        owner.caller(), project, id, new ColumnChoices(Map.of(), null, null, null, 9)))
                .isInstanceOf(TransferProblem.class)
                .hasMessageContaining("empty");
        assertThatThrownBy(() -> test.imports.columns(
                        owner.caller(), project, id, new ColumnChoices(Map.of(), null, null, null, 0)))
                .isInstanceOf(TransferProblem.class);
        test.imports.columns(
                owner.caller(), project, id, new ColumnChoices(Map.of("column 2", ""), null, null, null, 3));
        assertThat(test.imports.preview(owner.caller(), project, id).columns())
                .extracting(ImportPreview.Column::attribute)
                .containsExactly("Who", "Period", "Period 2");
        test.imports.start(owner.caller(), project, id);
        test.worker().runAll();
        assertThat(lines(owner, "sale")).isEqualTo("{\"Who\":\"Ann\",\"Period\":1,\"Period 2\":2}\n");
    }

    @Test
    void aColumnWithoutANameIsToldWhereItGoes() {
        var owner = test.records.project();
        var csv = new ImportOptions(FileFormat.CSV, ",", "UTC", true, true, null);
        assertThat(test.done(owner, "row", csv, ",name,,\n0,a,x,\n1,b,, \n").failure())
                .isNull();
        assertThat(test.records.schemas.get(owner, "row").attributes())
                .extracting(SchemaAttribute::name)
                .containsExactly("column 1", "name", "column 3");
        var known = test.records.project();
        test.records.schema(known, "row", "name text");
        var done = test.done(known, "row", TestImports.CSV_SKIPPING, "name,,\na,,\nb,x,\n");
        assertThat(done.progress().rows()).isEqualTo(1);
        assertThat(test.errors(known, done.id()))
                .containsExactly(
                        "3  has a value in `column 2`, which has no name in the file: say with `columns` where it goes, or nowhere");
        var mapped = new ImportOptions(FileFormat.CSV, ",", "UTC", false, false, Map.of("column 2", ""));
        assertThat(test.done(known, "row", mapped, "name,,\nc,y,\n").failure()).isNull();
        // The preview has a choice for those with values only.
        var id = test.upload(known, "row", TestImports.CSV, "name,,\nb,x,\n");
        assertThat(test.imports
                        .preview(known.caller(), known.project().id(), id)
                        .columns())
                .extracting(each -> each.name() + " " + each.type())
                .containsExactly("name text", "column 2 null");
    }

    @Test
    void aWorkbookMakesOptionsAndItsPreviewKnowsOfThem() {
        var owner = test.records.project();
        test.records.schema(owner, "task", "state text enum=[\"todo\"]");
        var workbook = new TestWorkbook().rows("""
                <row><c t="inlineStr"><is><t>state</t></is></c></row>
                <row><c t="inlineStr"><is><t>done</t></is></c></row>""");
        var id = test.upload(owner, "task", XLSX.makingOptions(true).withSheet("商品"), workbook.stream());
        var preview = test.imports.preview(owner.caller(), owner.project().id(), id);
        assertThat(preview.errors()).isEmpty();
        assertThat(preview.rows()).hasSize(1);
        test.imports.start(owner.caller(), owner.project().id(), id);
        test.worker().runAll();
        assertThat(lines(owner, "task")).isEqualTo("{\"state\":\"done\"}\n");
    }

    @Test
    void aPreviewOfAWorkbookHasTheTypesOfItsCells() {
        var owner = test.records.project();
        var workbook = new TestWorkbook().rows("""
                <row><c t="inlineStr"><is><t>code</t></is></c><c t="inlineStr"><is><t>mixed</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>
                <row><c t="inlineStr"><is><t>1</t></is></c><c><v>1</v></c><c t="b"><v>0</v></c></row>
                <row><c t="inlineStr"><is><t>2</t></is></c><c t="inlineStr"><is><t>n/a</t></is></c></row>""");
        var id = test.upload(owner, "new", xlsx("UTC", true), workbook.stream());
        var preview = test.imports.preview(owner.caller(), owner.project().id(), id);
        assertThat(preview.columns())
                .extracting(ImportPreview.Column::inferred)
                .containsExactly("text", "text", "bool");
        assertThat(preview.rows()).hasSize(2);
        test.imports.columns(
                owner.caller(),
                owner.project().id(),
                id,
                new ColumnChoices(Map.of("mixed", ""), null, null, null, null));
        test.imports.start(owner.caller(), owner.project().id(), id);
        test.worker().runAll();
        assertThat(lines(owner, "new")).isEqualTo("{\"code\":\"1\",\"b\":false}\n{\"code\":\"2\"}\n");
    }

    @Test
    void whatIsNoWorkbookIsRefusedInThePreview() {
        var owner = test.records.project();
        test.records.schema(owner, "item", ATTRIBUTES);
        var id = test.upload(owner, "item", XLSX, "name,price\nTea,3\n");
        assertThatThrownBy(() ->
                        test.imports.preview(owner.caller(), owner.project().id(), id))
                .isInstanceOf(TransferProblem.class)
                .hasMessageContaining("Line 1 is no XLSX workbook that can be read");
        var huge = new Imports.NewImport("item", XLSX, "", XlsxArchive.MAX_SIZE + 1);
        assertThatThrownBy(() ->
                        test.imports.create(owner.caller(), owner.project().id(), huge))
                .isInstanceOf(TransferProblem.class);
    }
}
