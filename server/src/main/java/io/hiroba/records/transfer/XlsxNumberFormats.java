package io.hiroba.records.transfer;

import io.hiroba.records.ValueFormat;
import java.util.ArrayList;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cell formats of a written workbook, by which cells are shown as pages show their values. */
final class XlsxNumberFormats {

    static final int NAME = 1;
    static final int DAY = 2;
    static final int MOMENT = 3;
    static final int EXACT_MOMENT = 4;
    static final int DURATION = 5;
    static final int PERCENT = 6;
    static final int EXACT_PERCENT = 7;

    private static final int FIRST_CURRENCY = 8;

    /** The number of a format of one's own; smaller ones are built in. */
    private static final int FIRST_OWN = 164;

    private static final List<String> CODES = List.of(
            "yyyy\\-mm\\-dd",
            "yyyy\\-mm\\-dd\\ hh:mm:ss",
            "yyyy\\-mm\\-dd\\ hh:mm:ss.000",
            "[h]:mm:ss",
            "0%",
            "0.00##%");

    private final Map<String, Integer> currencies = new LinkedHashMap<>();

    XlsxNumberFormats(ExportFields fields) {
        for (var key : fields.names().keySet()) {
            fields.format(key)
                    .map(ValueFormat::currency)
                    .ifPresent(code -> currencies.computeIfAbsent(code, any -> FIRST_CURRENCY + currencies.size()));
        }
    }

    /** The cell format of amounts of a currency. */
    int currency(String code) {
        return currencies.getOrDefault(code, 0);
    }

    /** The part of the workbook that describes the formats. */
    String styles(String namespace) {
        var codes = new ArrayList<>(CODES);
        currencies.keySet().forEach(code -> codes.add("[$" + code + "]\\ #,##0" + fraction(code)));
        var formats = new StringBuilder();
        var cells = new StringBuilder();
        for (int i = 0; i < codes.size(); i++) {
            formats.append("<numFmt numFmtId=\"%d\" formatCode=\"%s\"/>".formatted(FIRST_OWN + i, codes.get(i)));
            cells.append("<xf numFmtId=\"%d\" applyNumberFormat=\"1\"/>".formatted(FIRST_OWN + i));
        }
        return """
                <styleSheet xmlns="%s"><numFmts count="%d">%s</numFmts>\
                <fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
                <fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
                <borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>\
                <cellXfs count="%d"><xf/><xf fontId="1" applyFont="1"/>%s</cellXfs></styleSheet>
                """.formatted(namespace, codes.size(), formats, codes.size() + 2, cells);
    }

    /** The digits after the point. */
    private static String fraction(String code) {
        int digits = Math.max(0, Currency.getInstance(code).getDefaultFractionDigits());
        return digits == 0 ? "" : "." + "0".repeat(digits);
    }
}
