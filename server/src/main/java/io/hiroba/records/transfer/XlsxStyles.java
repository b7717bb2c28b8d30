package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ValueType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The cell formats of a workbook: which numbers are percentages, days, moments, times of day, durations or codes such as 00123. */
final class XlsxStyles {

    /** A value of a cell in the format of CSV, with its type; a number may be a percentage or, as {@code 26:30:00}, a duration. */
    record CellValue(ValueType type, String text) {}

    /** A form in which a number is shown. */
    private enum Shown {
        NUMBER,
        PERCENT,
        DAY,
        MOMENT,
        TIME,
        DURATION
    }

    /**
     * A format of numbers.
     *
     * @param digits how many a number has at least that is a code; 0 for others
     */
    private record CellFormat(Shown shown, int digits) {}

    private static final int MAX_FORMATS = 100_000;

    /** Elements of a format that are text, a color or a condition, and no letter of a date. */
    private static final Pattern LITERAL = Pattern.compile("\"[^\"]*\"|\\[[^\\]]*\\]|\\\\.|_.|\\*.|;.*");

    /** Zeros and nothing else for positive numbers, after a color or a condition. */
    private static final Pattern CODE = Pattern.compile("(?:\\[[^\\]]*\\])*(0{2,30})(?:;.*)?");

    private static final Pattern ELAPSED = Pattern.compile("\\[(h+|m+|s+)\\]", Pattern.CASE_INSENSITIVE);
    private static final Pattern DAY = Pattern.compile("[yd]", Pattern.CASE_INSENSITIVE);
    private static final Pattern TIME = Pattern.compile("[hs]", Pattern.CASE_INSENSITIVE);
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,100}(\\.[0-9]{1,100})?([Ee][+-]?[0-9]{1,3})?");

    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

    private static final long DAY_MILLIS = 86_400_000;
    private static final double MAX_DAY = 2_958_466;
    /** The 29 February 1900, which spreadsheets count and never was. */
    private static final long NO_DAY = 60;

    /** The digits of numbers in spreadsheets; further ones are noise of binary fractions. */
    private static final MathContext PRECISION = new MathContext(15);

    private static final int MAX_PLAIN = 60;

    private final List<CellFormat> formats;
    private final boolean since1904;

    private XlsxStyles(List<CellFormat> formats, boolean since1904) {
        this.formats = formats;
        this.since1904 = since1904;
    }

    static XlsxStyles read(XlsxArchive.@Nullable Part styles, boolean since1904) {
        var codes = new HashMap<String, String>();
        var formats = new ArrayList<CellFormat>();
        boolean inCells = false;
        while (styles != null && styles.next(1)) {
            if (styles.isEnd() && styles.isNamed("cellXfs")) {
                inCells = false;
            }
            if (!styles.isStart()) {
                continue;
            }
            switch (styles.name()) {
                case "numFmt" -> {
                    var code = styles.attribute("formatCode");
                    if (code != null) {
                        codes.put(String.valueOf(styles.attribute("numFmtId")), code);
                    }
                }
                case "cellXfs" -> inCells = true;
                case "xf" -> {
                    if (inCells) {
                        if (formats.size() == MAX_FORMATS) {
                            throw XlsxArchive.tooLarge();
                        }
                        var id = String.valueOf(styles.attribute("numFmtId"));
                        var code = codes.get(id);
                        formats.add(code == null ? new CellFormat(builtIn(id), 0) : format(code));
                    }
                }
                default -> {}
            }
        }
        return new XlsxStyles(formats, since1904);
    }

    private static CellFormat format(String code) {
        var zeros = CODE.matcher(code);
        return new CellFormat(shown(code), zeros.matches() ? zeros.group(1).length() : 0);
    }

    private static Shown builtIn(String id) {
        return switch (id) {
            case "9", "10" -> Shown.PERCENT;
            case "14", "15", "16", "17" -> Shown.DAY;
            case "18", "19", "20", "21", "32", "33", "45", "47" -> Shown.TIME;
            case "22" -> Shown.MOMENT;
            case "46" -> Shown.DURATION;
            // In East Asian versions, some of them times in one and days in another.
            case "27", "28", "29", "30", "31", "34", "35", "36" -> Shown.DAY;
            case "50", "51", "52", "53", "54", "55", "56", "57", "58" -> Shown.DAY;
            default -> Shown.NUMBER;
        };
    }

    private static Shown shown(String code) {
        if (ELAPSED.matcher(code).find()) {
            return Shown.DURATION;
        }
        var letters = LITERAL.matcher(code).replaceAll("");
        boolean hasTime = TIME.matcher(letters).find();
        if (letters.equalsIgnoreCase("general")) {
            return Shown.NUMBER;
        }
        if (DAY.matcher(letters).find()) {
            return hasTime ? Shown.MOMENT : Shown.DAY;
        }
        boolean hasMonth = letters.indexOf('m') >= 0 || letters.indexOf('M') >= 0;
        if (hasTime) {
            return Shown.TIME;
        }
        return hasMonth ? Shown.DAY : letters.indexOf('%') >= 0 ? Shown.PERCENT : Shown.NUMBER;
    }

    /**
     * The value of a number of the format {@code style}.
     *
     * @throws InvalidCellException if it is a date that there is not
     */
    CellValue value(String number, int style) throws InvalidCellException {
        if (!NUMBER.matcher(number).matches()) {
            return new CellValue(ValueType.TEXT, number);
        }
        var format = style < formats.size() ? formats.get(style) : new CellFormat(Shown.NUMBER, 0);
        var shown = format.shown();
        if (shown == Shown.NUMBER) {
            var text = plain(rounded(number));
            return format.digits() > 0 && INTEGER.matcher(text).matches()
                    ? new CellValue(ValueType.TEXT, padded(text, format.digits()))
                    : new CellValue(ValueType.NUMERIC, text);
        }
        if (shown == Shown.PERCENT) {
            return new CellValue(ValueType.NUMERIC, plain(rounded(number).movePointRight(2)) + "%");
        }
        double days = Double.parseDouble(number);
        if (shown == Shown.DURATION && Math.abs(days) < MAX_DAY) {
            return new CellValue(ValueType.NUMERIC, duration(Math.round(days * DAY_MILLIS)));
        }
        if (days < 0 || days >= MAX_DAY) {
            throw new InvalidCellException(Text.of("records.transfer.no-date"));
        }
        long millis = Math.round(days * DAY_MILLIS);
        var time = time(millis % DAY_MILLIS);
        long day = millis / DAY_MILLIS;
        if (day == 0 && !since1904) {
            return new CellValue(ValueType.TEXT, time);
        }
        return shown == Shown.DAY && millis % DAY_MILLIS == 0
                ? new CellValue(ValueType.DATE, date(day))
                : new CellValue(ValueType.DATETIME, date(day) + "T" + time);
    }

    private static String duration(long millis) {
        long hours = Math.abs(millis) / (DAY_MILLIS / 24);
        return (millis < 0 ? "-" : "")
                + (hours < 10 ? "0" : "")
                + hours
                + time(Math.abs(millis) % DAY_MILLIS).substring(2);
    }

    private static String padded(String integer, int digits) {
        boolean isNegative = integer.startsWith("-");
        var shown = isNegative ? integer.substring(1) : integer;
        return (isNegative ? "-" : "") + "0".repeat(Math.max(0, digits - shown.length())) + shown;
    }

    private String date(long day) throws InvalidCellException {
        if (since1904) {
            return LocalDate.of(1904, 1, 1).plusDays(day).toString();
        }
        if (day == NO_DAY) {
            throw new InvalidCellException(Text.of("records.transfer.no-date"));
        }
        return LocalDate.of(1899, 12, day < NO_DAY ? 31 : 30).plusDays(day).toString();
    }

    private static String time(long millis) {
        var time = LocalTime.ofNanoOfDay(millis * 1_000_000);
        return "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond())
                + (millis % 1000 == 0 ? "" : ".%03d".formatted(millis % 1000));
    }

    private static BigDecimal rounded(String number) {
        var exact = new BigDecimal(number);
        boolean isInteger = number.chars().allMatch(c -> c == '-' || Character.isDigit(c));
        return isInteger || exact.precision() <= PRECISION.getPrecision()
                ? exact
                : exact.round(PRECISION).stripTrailingZeros();
    }

    private static String plain(BigDecimal number) {
        return Math.abs(number.scale()) > MAX_PLAIN ? number.toString() : number.toPlainString();
    }

    /** A cell without a value that can be imported. */
    static final class InvalidCellException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient Text reason;

        InvalidCellException(Text reason) {
            super(null, null, false, false);
            this.reason = reason;
        }

        Text reason() {
            return reason;
        }
    }
}
