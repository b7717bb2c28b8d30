package io.hiroba.records;

import java.text.Normalizer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Pattern;

/**
 * Texts of numbers and times as people write them in files and cells, normalized to the plain form: {@code 1,234.5}, {@code １２},
 * {@code 2026/8/20} and {@code 2026年8月20日 9:05}. The API takes the plain form only.
 */
public final class WrittenValues {

    private static final int MAX_LENGTH = 510;

    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d{1,250}(\\.\\d{0,250})?|\\.\\d{1,250})([eE][+-]?\\d{1,3})?");

    /** Narrow and other fixed spaces are plain ones by then. */
    private static final Pattern GROUPED = Pattern.compile("[+-]?\\d{1,3}([,' ]\\d{3}){1,33}(\\.\\d{1,100})?");

    private static final Pattern GROUPED_BY_COMMA = Pattern.compile("-?[1-9]\\d{0,2}(,\\d{3}){1,33}(\\.\\d{1,100})?");

    private static final Pattern TIME =
            Pattern.compile("(\\d{4})[-/.年](\\d{1,2})[-/.月](\\d{1,2})日?(?:([T ]) *(\\d{1,2})(:\\d\\d.*))?");

    private static final Pattern LIKELY_TIME =
            Pattern.compile("\\d{4}(/\\d{1,2}/\\d{1,2}|年\\d{1,2}月\\d{1,2}日)( +\\d{1,2}:\\d\\d(:\\d\\d)?)?");

    private static final int DAY_LENGTH = 10;

    private WrittenValues() {}

    /** The text without what only looks different: spaces around it, and digits and signs of full width. */
    public static String plain(String text) {
        return (Normalizer.isNormalized(text, Normalizer.Form.NFKC)
                        ? text
                        : Normalizer.normalize(text, Normalizer.Form.NFKC))
                .strip();
    }

    /** Whether it is a number in the plain form. */
    public static boolean isNumber(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_LENGTH
                && NUMBER.matcher(text).matches();
    }

    /** Whether a plain text is a number with commas between its thousands, and not a code or a telephone number. */
    public static boolean isLikelyGrouped(String text) {
        return text.length() <= MAX_LENGTH && GROUPED_BY_COMMA.matcher(text).matches();
    }

    /** A number in the plain form; what is none stays so. */
    public static String number(String text) {
        var plain = plain(text);
        return plain.length() <= MAX_LENGTH && GROUPED.matcher(plain).matches() ? plain.replaceAll("[,' ]", "") : plain;
    }

    /** Whether it is a day of the calendar, perhaps with a time, that is not in the plain form. */
    public static boolean isLikelyTime(String text) {
        if (text.length() > MAX_LENGTH || !LIKELY_TIME.matcher(plain(text)).matches()) {
            return false;
        }
        try {
            LocalDate.parse(time(text).substring(0, DAY_LENGTH));
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** A day, or a day with a time, in the plain form: {@code 2026-08-20 09:05}; what is none stays so. */
    public static String time(String text) {
        var plain = plain(text);
        var parts = TIME.matcher(plain);
        if (!parts.matches()) {
            return plain;
        }
        var day = "%s-%s-%s".formatted(parts.group(1), padded(parts.group(2)), padded(parts.group(3)));
        return parts.group(4) == null ? day : day + parts.group(4) + padded(parts.group(5)) + parts.group(6);
    }

    private static String padded(String digits) {
        return digits.length() == 1 ? "0" + digits : digits;
    }
}
