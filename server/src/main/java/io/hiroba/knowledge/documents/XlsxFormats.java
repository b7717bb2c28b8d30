package io.hiroba.knowledge.documents;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** The formats of a workbook's numbers: which of them are dates, that a sheet has as days since a date. */
final class XlsxFormats {

    /** What of a format is text, a color or a condition, and no letter of a date. */
    private static final Pattern LITERAL = Pattern.compile("\"[^\"]*\"|\\[[^\\]]*\\]|\\\\.|_.|\\*.");

    private static final Pattern DATE = Pattern.compile("[ymdhsYMDHS]");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,20}(\\.[0-9]{1,30})?([Ee][+-]?[0-9]{1,3})?");
    private static final double MAX_DAY = 2_958_466;
    private static final MathContext PRECISION = new MathContext(15);

    /** Whether each of the cell styles is a date. */
    private final List<Boolean> dates;

    private final LocalDate start;

    private XlsxFormats(List<Boolean> dates, boolean since1904) {
        this.dates = dates;
        // Excel believes that there was a 29 February 1900, so days since then are counted from a day earlier.
        this.start = since1904 ? LocalDate.of(1904, 1, 1) : LocalDate.of(1899, 12, 30);
    }

    static XlsxFormats read(@Nullable XMLStreamReader xml, boolean since1904) throws XMLStreamException {
        var codes = new HashMap<String, String>();
        var dates = new ArrayList<Boolean>();
        boolean inCells = false;
        while (xml != null && xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamReader.END_ELEMENT && xml.getLocalName().equals("cellXfs")) {
                inCells = false;
            }
            if (event != XMLStreamReader.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "numFmt" -> {
                    var id = ArchiveParts.attribute(xml, "numFmtId");
                    var code = ArchiveParts.attribute(xml, "formatCode");
                    if (id != null && code != null) {
                        codes.put(id, code);
                    }
                }
                case "cellXfs" -> inCells = true;
                case "xf" -> {
                    if (inCells) {
                        BlockLimit.check(dates.size());
                        var id = ArchiveParts.attribute(xml, "numFmtId");
                        dates.add(id != null && isDate(id, codes.get(id)));
                    }
                }
                default -> {}
            }
        }
        return new XlsxFormats(dates, since1904);
    }

    private static boolean isDate(String id, @Nullable String code) {
        if (code != null) {
            return DATE.matcher(LITERAL.matcher(code).replaceAll("")).find();
        }
        int number = id.matches("[0-9]{1,4}") ? Integer.parseInt(id) : 0;
        return (number >= 14 && number <= 22)
                || (number >= 27 && number <= 36)
                || (number >= 45 && number <= 47)
                || (number >= 50 && number <= 58);
    }

    /** A number as people read it: a date as one, and without the noise of its last digits. */
    String text(String value, int style) {
        if (!NUMBER.matcher(value).matches()) {
            return value.length() > 100 ? value.substring(0, 100) : value;
        }
        double number = Double.parseDouble(value);
        if (style < dates.size() && dates.get(style) && number >= 0 && number < MAX_DAY) {
            return date(number);
        }
        var rounded = new BigDecimal(value).round(PRECISION).stripTrailingZeros();
        return Math.abs(rounded.scale()) > 20 ? value : rounded.toPlainString();
    }

    private String date(double days) {
        long seconds = Math.round((days - Math.floor(days)) * 86_400);
        var date = start.plusDays((long) Math.floor(days) + seconds / 86_400);
        var time = LocalTime.ofSecondOfDay(seconds % 86_400);
        if (days < 1) {
            return time.toString();
        }
        return seconds % 86_400 == 0 ? date.toString() : date + " " + time.truncatedTo(ChronoUnit.SECONDS);
    }
}
