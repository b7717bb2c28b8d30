package io.hiroba.records;

import java.math.BigDecimal;
import java.text.Normalizer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Texts of numbers and times as people write them in files and cells, normalized to the plain form: {@code 1,234.5}, {@code １２},
 * {@code $1,200}, {@code 25%}, {@code 2026/8/20}, {@code 20.8.2026} and {@code 2026年8月20日 9:05}. The API takes the plain form only.
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

    /** Days with points have the day first wherever they are written. */
    private static final Pattern POINTED =
            Pattern.compile("(\\d{1,2})\\. ?(\\d{1,2})\\. ?(\\d{4})(?:,? +(\\d{1,2})(:\\d\\d.*))?");

    private static final Pattern LIKELY_TIME = Pattern.compile(
            "(\\d{4}(/\\d{1,2}/\\d{1,2}|年\\d{1,2}月\\d{1,2}日)|\\d{1,2}\\. ?\\d{1,2}\\. ?\\d{4})(,? +\\d{1,2}:\\d\\d(:\\d\\d)?)?");

    /** An amount of money with a sign such as $, € or ￥ on one side. */
    private static final Pattern AMOUNT = Pattern.compile("([+-]?)(?:(\\p{Sc}) ?(\\S+)|(\\S+) ?(\\p{Sc}))");

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
    private static boolean isLikelyGrouped(String text) {
        return text.length() <= MAX_LENGTH && GROUPED_BY_COMMA.matcher(text).matches();
    }

    /** A number in the plain form, of a percentage the hundredth; what is none stays so. */
    public static String number(String text) {
        var plain = plain(text);
        if (plain.length() > MAX_LENGTH) {
            return plain;
        }
        if (plain.endsWith("%")) {
            var percent = ungrouped(plain.substring(0, plain.length() - 1).strip());
            return isNumber(percent) ? new BigDecimal(percent).movePointLeft(2).toPlainString() : plain;
        }
        return ungrouped(amount(plain));
    }

    /** The same of a number alone: a percentage or an amount stays as it is. */
    static String bareNumber(String text) {
        var plain = plain(text);
        return plain.length() > MAX_LENGTH ? plain : ungrouped(plain);
    }

    /** The sign of an amount of money, such as {@code $} or {@code €}. */
    public static Optional<String> sign(String text) {
        var parts = AMOUNT.matcher(plain(text));
        return text.length() <= MAX_LENGTH && parts.matches()
                ? Optional.of(parts.group(2) == null ? parts.group(5) : parts.group(2))
                : Optional.empty();
    }

    /** An amount with {@code sign} without it; another text stays as it is. */
    static String withoutSign(String text, String sign) {
        return sign(text).filter(sign::equals).isPresent() ? amount(plain(text)) : text;
    }

    private static String ungrouped(String plain) {
        return GROUPED.matcher(plain).matches() ? plain.replaceAll("[,' ]", "") : plain;
    }

    /** An amount of money without its sign; what is none stays so. */
    private static String amount(String plain) {
        var parts = AMOUNT.matcher(plain);
        if (!parts.matches()) {
            return plain;
        }
        var number = parts.group(1) + (parts.group(3) == null ? parts.group(4) : parts.group(3));
        return isNumber(number) || isLikelyGrouped(number) ? number : plain;
    }

    /** Whether {@code text} looks like a number, perhaps of money: with a leading zero or plus it is a code or a telephone number. */
    public static boolean isLikelyNumber(String text) {
        var plain = plain(text);
        var number = plain.length() > MAX_LENGTH ? plain : amount(plain);
        return (isNumber(number) && !number.startsWith("+") && !number.matches("-?0\\d.*")) || isLikelyGrouped(number);
    }

    /** Whether {@code text} looks like a percentage. */
    public static boolean isLikelyPercentage(String text) {
        var plain = plain(text);
        return plain.endsWith("%") && isLikelyNumber(plain.substring(0, plain.length() - 1));
    }

    /** The answer to a yes or no, as programs write it. */
    public static Optional<Boolean> truth(String text) {
        return switch (plain(text).toLowerCase(Locale.ROOT)) {
            case "true", "yes", "1", "t", "y", "checked" -> Optional.of(true);
            case "false", "no", "0", "f", "n", "unchecked" -> Optional.of(false);
            default -> Optional.empty();
        };
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
        if (parts.matches()) {
            var day = "%s-%s-%s".formatted(parts.group(1), padded(parts.group(2)), padded(parts.group(3)));
            return parts.group(4) == null ? day : day + parts.group(4) + padded(parts.group(5)) + parts.group(6);
        }
        var pointed = POINTED.matcher(plain);
        if (pointed.matches()) {
            var day = "%s-%s-%s".formatted(pointed.group(3), padded(pointed.group(2)), padded(pointed.group(1)));
            return pointed.group(4) == null ? day : day + " " + padded(pointed.group(4)) + pointed.group(5);
        }
        return plain;
    }

    private static String padded(String digits) {
        return digits.length() == 1 ? "0" + digits : digits;
    }
}
