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

/** The formats of a workbook's numbers: which of them are dates, that a sheet has as days since a date, times or percentages. */
final class XlsxFormats {

    private static final Pattern ELAPSED = Pattern.compile("(?i)\\[(?:h+|m+|s+)]");
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|\\\\.|_.|\\*.");

    /** What of a format is text, a color or a condition, and no letter of a date. */
    private static final Pattern LITERAL = Pattern.compile("\"[^\"]*\"|\\[[^\\]]*\\]|\\\\.|_.|\\*.");

    private static final Pattern DATE = Pattern.compile("[ymdhsYMDHS]");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,20}(\\.[0-9]{1,30})?([Ee][+-]?[0-9]{1,3})?");
    private static final double MAX_DAY = 2_958_466;
    private static final MathContext PRECISION = new MathContext(15);

    /** A kind of number, by its format. */
    private enum Kind {
        NUMBER,
        DATE,
        /** A time of any number of hours. */
        ELAPSED,
        PERCENTAGE
    }

    /** The kind of each of the cell styles. */
    private final List<Kind> kinds;

    private final LocalDate start;

    private XlsxFormats(List<Kind> kinds, boolean since1904) {
        this.kinds = kinds;
        // Excel believes that there was a 29 February 1900, so days since then are counted from a day earlier.
        this.start = since1904 ? LocalDate.of(1904, 1, 1) : LocalDate.of(1899, 12, 30);
    }

    static XlsxFormats read(@Nullable XMLStreamReader xml, boolean since1904) throws XMLStreamException {
        var codes = new HashMap<String, String>();
        var kinds = new ArrayList<Kind>();
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
                        BlockLimit.check(kinds.size());
                        var id = ArchiveParts.attribute(xml, "numFmtId");
                        kinds.add(id == null ? Kind.NUMBER : kind(id, codes.get(id)));
                    }
                }
                default -> {}
            }
        }
        return new XlsxFormats(kinds, since1904);
    }

    private static Kind kind(String id, @Nullable String code) {
        if (code != null) {
            if (ELAPSED.matcher(QUOTED.matcher(code).replaceAll("")).find()) {
                return Kind.ELAPSED;
            }
            var signs = LITERAL.matcher(code).replaceAll("");
            return DATE.matcher(signs).find() ? Kind.DATE : signs.contains("%") ? Kind.PERCENTAGE : Kind.NUMBER;
        }
        return switch (id.matches("[0-9]{1,4}") ? Integer.parseInt(id) : 0) {
            case 9, 10 -> Kind.PERCENTAGE;
            case 14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47 -> Kind.DATE;
            case 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58 -> Kind.DATE;
            case 46 -> Kind.ELAPSED;
            default -> Kind.NUMBER;
        };
    }

    /** A number as people read it: a date as one, and without the noise of its last digits. */
    String text(String value, int style) {
        if (!NUMBER.matcher(value).matches()) {
            return value.length() > 100 ? value.substring(0, 100) : value;
        }
        double number = Double.parseDouble(value);
        return switch (style < kinds.size() ? kinds.get(style) : Kind.NUMBER) {
            case DATE -> number >= 0 && number < MAX_DAY ? date(number) : plain(new BigDecimal(value));
            case ELAPSED -> Math.abs(number) < MAX_DAY ? elapsed(number) : plain(new BigDecimal(value));
            case PERCENTAGE -> plain(new BigDecimal(value).movePointRight(2)) + "%";
            case NUMBER -> plain(new BigDecimal(value));
        };
    }

    private static String plain(BigDecimal number) {
        var rounded = number.round(PRECISION).stripTrailingZeros();
        return Math.abs(rounded.scale()) > 20 ? number.toString() : rounded.toPlainString();
    }

    /** Hours and minutes, and seconds if there are any. */
    private static String elapsed(double days) {
        long seconds = Math.round(Math.abs(days) * 86_400);
        var time = "%s%d:%02d".formatted(days < 0 ? "-" : "", seconds / 3600, seconds / 60 % 60);
        return seconds % 60 == 0 ? time : time + ":%02d".formatted(seconds % 60);
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
