package io.hiroba.records.transfer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A workbook as spreadsheet programs save one, with parts that a test writes. */
final class TestWorkbook {

    static final String TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
    private static final String SHEET = "xl/worksheets/sheet1.xml";

    private final Map<String, Content> parts = new LinkedHashMap<>();

    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    TestWorkbook() {
        part("_rels/.rels", relation("rId1", "officeDocument", "xl/workbook.xml"));
        part("xl/workbook.xml", """
                <workbook xmlns:r="r"><workbookPr/><sheets><sheet name="Notes" sheetId="1" state="hidden" r:id="rId9"/>
                <sheet name="Chart" sheetId="4" r:id="rId7"/><sheet name="商品" sheetId="2" r:id="rId1"/>
                <sheet name="Other" sheetId="3" r:id="rId2"/></sheets></workbook>""");
        part(
                "xl/_rels/workbook.xml.rels",
                relation("rId1", "worksheet", "worksheets/sheet1.xml")
                        + relation("rId2", "worksheet", "/xl/worksheets/sheet2.xml")
                        + relation("rId9", "worksheet", "../xl/worksheets/sheet3.xml")
                        + relation("rId7", "chartsheet", "chartsheets/sheet1.xml")
                        + relation("rId3", "styles", "styles.xml")
                        + relation("rId4", "sharedStrings", "sharedStrings.xml"));
        part("xl/worksheets/sheet2.xml", sheet("<row><c t=\"inlineStr\"><is><t>other</t></is></c></row>"));
        part("xl/worksheets/sheet3.xml", sheet("<row><c t=\"inlineStr\"><is><t>hidden</t></is></c></row>"));
    }

    private static String relation(String id, String type, String target) {
        return "<Relationship Id=\"%s\" Type=\"%s%s\" Target=\"%s\"/>".formatted(id, TYPE, type, target);
    }

    TestWorkbook part(String name, String xml) {
        var whole = name.endsWith(".rels") ? "<Relationships>" + xml + "</Relationships>" : xml;
        return part(name, out -> out.write(whole.getBytes(StandardCharsets.UTF_8)));
    }

    TestWorkbook part(String name, Content content) {
        parts.put(name, content);
        return this;
    }

    /** The rows of the first sheet that is shown. */
    TestWorkbook rows(String rows) {
        return part(SHEET, sheet(rows));
    }

    static String sheet(String rows) {
        return "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>" + rows
                + "</sheetData></worksheet>";
    }

    byte[] bytes() {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var part : parts.entrySet()) {
                zip.putNextEntry(new ZipEntry(part.getKey()));
                part.getValue().writeTo(zip);
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    InputStream stream() {
        return new ByteArrayInputStream(bytes());
    }
}
