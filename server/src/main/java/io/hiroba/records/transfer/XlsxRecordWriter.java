package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.QueryResult;
import io.hiroba.records.transfer.ExportFields.Value;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as an XLSX workbook, row by row. Cells have their types where a spreadsheet keeps the value exactly; what it would round
 * (numbers of more than 15 digits, moments finer than a millisecond) is text. Texts are never formulas.
 */
final class XlsxRecordWriter implements RecordWriter {

    /** The rows of a sheet, with that of the names; more records go on in further sheets. */
    static final int MAX_ROWS = 1_048_576;

    /** The characters of a cell; a text that is longer ends with a note. */
    static final int MAX_CELL_LENGTH = 32_767;

    private static final int MAX_DIGITS = 15;
    private static final int SERIAL_DIGITS = 12;
    private static final int MAX_SHEET_NAME = 31;
    private static final LocalDate EPOCH = LocalDate.of(1899, 12, 30);

    /** Before, spreadsheets count a 29 February 1900 that never was. */
    private static final LocalDate FIRST_DAY = LocalDate.of(1900, 3, 1);

    private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);
    private static final BigDecimal DAY_MILLIS = BigDecimal.valueOf(86_400_000);
    private static final int DAY_SECONDS = 86_400;

    /** What spreadsheets show of durations: 9999 hours. */
    private static final BigDecimal MAX_DURATION = BigDecimal.valueOf(9_999L * 3_600);

    private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
    private static final String MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    private static final String RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    private static final String PACKAGE = "http://schemas.openxmlformats.org/package/2006/";
    private static final String TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.";

    private static final String HEADER_STYLE = style(XlsxNumberFormats.NAME);

    private final Exports.Style style;
    private final String title;
    private final ExportFields fields;
    private final Map<String, String> names;
    private final XlsxNumberFormats formats;
    private final int maxRows;
    private final ZipOutputStream zip;
    private final Writer xml;
    private final List<String> sheets = new ArrayList<>();
    private int row;

    XlsxRecordWriter(Exports.Style style, String title, ExportFields fields, OutputStream out, int maxRows)
            throws IOException {
        this.style = style;
        this.title = title;
        this.fields = fields;
        this.names = fields.names();
        this.formats = new XlsxNumberFormats(fields);
        this.maxRows = maxRows;
        this.zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        this.xml = new BufferedWriter(new OutputStreamWriter(zip, StandardCharsets.UTF_8), 1 << 15);
        // Whatever is not named is a sheet, so that their number need not be known yet.
        part("[Content_Types].xml", """
                <Types xmlns="%scontent-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
                <Default Extension="xml" ContentType="%sworksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="%ssheet.main+xml"/>\
                <Override PartName="/xl/styles.xml" ContentType="%sstyles+xml"/></Types>
                """.formatted(PACKAGE, TYPE, TYPE, TYPE));
        part("_rels/.rels", """
                <Relationships xmlns="%srelationships"><Relationship Id="rId1" Type="%s/officeDocument" Target="xl/workbook.xml"/></Relationships>
                """.formatted(PACKAGE, RELATION));
        part("xl/styles.xml", formats.styles(MAIN));
        beginSheet();
    }

    @Override
    public void write(QueryResult page, Map<String, String> called) throws IOException {
        for (var record : page.rows()) {
            if (row == maxRows) {
                endSheet();
                beginSheet();
            }
            var values = ExportFields.values(page, record, called);
            beginRow();
            int column = 0;
            if (style.ids()) {
                text(column++, record.id().toString(), "");
            }
            for (var key : names.keySet()) {
                cell(column++, fields.format(key).orElse(null), values.get(key));
            }
            xml.write("</row>");
        }
        // To notice a client that disconnected.
        xml.flush();
    }

    private void cell(int column, @Nullable ValueFormat format, @Nullable Value value) throws IOException {
        if (value == null) {
            return;
        }
        var shown = value.shown();
        switch (value.type()) {
            case NUMERIC -> number(column, format, shown.decimalValue());
            case DATE, DATETIME -> time(column, value.type(), shown.asString(""));
            case BOOL -> typed(column, " t=\"b\"", shown.booleanValue() ? "1" : "0");
            case TEXT -> text(column, shown.stringValue(), "");
            case JSONB -> text(column, shown.toString(), "");
            case MULTI_SELECT -> text(column, ExportFields.list(shown), "");
        }
    }

    private void number(int column, @Nullable ValueFormat format, BigDecimal number) throws IOException {
        if (number.stripTrailingZeros().precision() > MAX_DIGITS) {
            text(column, number.toPlainString(), "");
            return;
        }
        var kind = format == null ? null : format.kind();
        var currency = format == null ? null : format.currency();
        switch (kind) {
            case PERCENT ->
                typed(
                        column,
                        style(number.scale() <= 0 ? XlsxNumberFormats.PERCENT : XlsxNumberFormats.EXACT_PERCENT),
                        number.movePointLeft(2).toPlainString());
            case CURRENCY -> typed(column, style(formats.currency(String.valueOf(currency))), number.toPlainString());
            case DURATION -> duration(column, number);
            case null, default -> typed(column, "", number.toPlainString());
        }
    }

    /** Spreadsheets show no negative durations, and count no parts of seconds exactly. */
    private void duration(int column, BigDecimal seconds) throws IOException {
        if (seconds.signum() < 0 || seconds.scale() > 0 || seconds.compareTo(MAX_DURATION) > 0) {
            typed(column, "", seconds.toPlainString());
            return;
        }
        var days = seconds.divide(BigDecimal.valueOf(DAY_SECONDS), SERIAL_DIGITS, RoundingMode.HALF_EVEN);
        typed(column, style(XlsxNumberFormats.DURATION), days.toPlainString());
    }

    private static String style(int format) {
        return " s=\"" + format + "\"";
    }

    private void time(int column, ValueType type, String shown) throws IOException {
        if (type == ValueType.DATE) {
            var day = LocalDate.parse(shown);
            if (isCountable(day)) {
                typed(column, style(XlsxNumberFormats.DAY), Long.toString(serial(day)));
                return;
            }
        } else {
            var moment = Instant.parse(shown);
            var local = LocalDateTime.ofInstant(moment, style.zone());
            // An hour that a clock shows twice has no cell of its own.
            boolean isOnce = local.atZone(style.zone()).toInstant().equals(moment);
            if (isOnce && local.toLocalTime().toNanoOfDay() % 1_000_000 == 0 && isCountable(local.toLocalDate())) {
                long millis = local.toLocalTime().toNanoOfDay() / 1_000_000;
                var days = BigDecimal.valueOf(serial(local.toLocalDate()))
                        .add(BigDecimal.valueOf(millis).divide(DAY_MILLIS, SERIAL_DIGITS, RoundingMode.HALF_EVEN));
                typed(
                        column,
                        style(millis % 1000 == 0 ? XlsxNumberFormats.MOMENT : XlsxNumberFormats.EXACT_MOMENT),
                        days.toPlainString());
                return;
            }
        }
        text(column, shown, "");
    }

    private static boolean isCountable(LocalDate day) {
        return !day.isBefore(FIRST_DAY) && !day.isAfter(LAST_DAY);
    }

    private static long serial(LocalDate day) {
        return ChronoUnit.DAYS.between(EPOCH, day);
    }

    private void typed(int column, String attributes, String value) throws IOException {
        xml.write("<c r=\"" + letters(column) + row + "\"" + attributes + "><v>" + value + "</v></c>");
    }

    private void text(int column, String text, String attributes) throws IOException {
        xml.write("<c r=\"" + letters(column) + row + "\"" + attributes
                + " t=\"inlineStr\"><is><t xml:space=\"preserve\">" + XlsxText.escape(fitting(text))
                + "</t></is></c>");
    }

    private String fitting(String text) {
        if (text.length() <= MAX_CELL_LENGTH) {
            return text;
        }
        var note = Text.of("records.transfer.cell-cut", "length", text.length(), "max", MAX_CELL_LENGTH)
                .in(style.language());
        return cut(text, MAX_CELL_LENGTH - note.length()) + note;
    }

    private static String cut(String text, int length) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }

    /** The name of a column: A, …, Z, AA, … */
    static String letters(int column) {
        var letters = new StringBuilder();
        for (int rest = column + 1; rest > 0; rest = (rest - 1) / 26) {
            letters.insert(0, (char) ('A' + (rest - 1) % 26));
        }
        return letters.toString();
    }

    private void beginSheet() throws IOException {
        sheets.add(sheetName(sheets.size() + 1));
        begin("xl/worksheets/sheet" + sheets.size() + ".xml");
        row = 0;
        int columns = names.size() + (style.ids() ? 1 : 0);
        xml.write(HEAD + "<worksheet xmlns=\"" + MAIN + "\"><sheetViews><sheetView workbookViewId=\"0\">"
                + "<pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>"
                + (columns == 0
                        ? ""
                        : "<cols><col min=\"1\" max=\"" + columns + "\" width=\"20\" customWidth=\"1\"/></cols>")
                + "<sheetData>");
        beginRow();
        int column = 0;
        if (style.ids()) {
            text(column++, ID, HEADER_STYLE);
        }
        for (var name : names.values()) {
            text(column++, name, HEADER_STYLE);
        }
        xml.write("</row>");
    }

    private void beginRow() throws IOException {
        xml.write("<row r=\"" + ++row + "\">");
    }

    private void endSheet() throws IOException {
        xml.write("</sheetData></worksheet>");
        end();
    }

    private String sheetName(int number) {
        var end = number == 1 ? "" : " (" + number + ")";
        var name = title.replaceAll("[\\[\\]:*?/\\\\\\p{Cntrl}]", "_").replaceAll("^'|'$", "_");
        return (name.length() + end.length() > MAX_SHEET_NAME ? cut(name, MAX_SHEET_NAME - end.length()) : name) + end;
    }

    @Override
    public void close() throws IOException {
        endSheet();
        var listed = new StringBuilder();
        var relations = new StringBuilder();
        for (int i = 1; i <= sheets.size(); i++) {
            listed.append("<sheet name=\"%s\" sheetId=\"%d\" r:id=\"rId%d\"/>"
                    .formatted(XlsxText.escape(sheets.get(i - 1)), i, i));
            relations.append("<Relationship Id=\"rId%d\" Type=\"%s/worksheet\" Target=\"worksheets/sheet%d.xml\"/>"
                    .formatted(i, RELATION, i));
        }
        part(
                "xl/workbook.xml",
                "<workbook xmlns=\"%s\" xmlns:r=\"%s\"><sheets>%s</sheets></workbook>"
                        .formatted(MAIN, RELATION, listed));
        part("xl/_rels/workbook.xml.rels", """
                <Relationships xmlns="%srelationships">%s<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/></Relationships>
                """.formatted(PACKAGE, relations, sheets.size() + 1, RELATION));
        xml.close();
    }

    private void part(String name, String content) throws IOException {
        begin(name);
        xml.write(HEAD + content);
        end();
    }

    private void begin(String name) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
    }

    private void end() throws IOException {
        xml.flush();
        zip.closeEntry();
    }
}
