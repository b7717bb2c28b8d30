package io.hiroba.records;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The mark before the decimals of numbers such as {@code 1,500}, which a single one often does not tell. */
public enum DecimalMark {
    POINT,
    COMMA;

    private static final int MAX_LENGTH = 510;

    /** With points, apostrophes or spaces between thousands, and perhaps of money or a percentage. */
    private static final Pattern WITH_COMMA = Pattern.compile("([+-]?(?:(?:\\p{Sc}|[A-Z]{3}) ?)?[+-]?)"
            + "(\\d{1,3}(?:[. ']\\d{3}){1,33}|\\d{1,250})(?:,(\\d{1,100}))?( ?(?:%|\\p{Sc}|[A-Z]{3}))?");

    /** The name in options: {@code point} or {@code comma}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<DecimalMark> named(String label) {
        return EnumSet.allOf(DecimalMark.class).stream()
                .filter(each -> each.label().equals(label))
                .findFirst();
    }

    /** The marks with which {@code text} looks like a number, perhaps a percentage; none if it is none. */
    public static Set<DecimalMark> of(String text) {
        var marks = EnumSet.noneOf(DecimalMark.class);
        for (var mark : values()) {
            if (mark.plain(text).filter(DecimalMark::isLikely).isPresent()) {
                marks.add(mark);
            }
        }
        return marks;
    }

    private static boolean isLikely(String text) {
        return WrittenValues.isLikelyNumber(text) || WrittenValues.isLikelyPercentage(text);
    }

    /** The same number with a point before its decimals; empty if it is one with another mark only. What is no number stays as it is. */
    public Optional<String> plain(String text) {
        if (this == POINT || text.length() > MAX_LENGTH) {
            return Optional.of(text);
        }
        var written = WrittenValues.plain(text);
        var parts = WITH_COMMA.matcher(written);
        if (parts.matches()) {
            var decimals = parts.group(3) == null ? "" : "." + parts.group(3);
            var unit = parts.group(4) == null ? "" : parts.group(4);
            return Optional.of(parts.group(1) + parts.group(2).replaceAll("[. ']", "") + decimals + unit);
        }
        return WrittenValues.isNumber(WrittenValues.number(written)) ? Optional.empty() : Optional.of(text);
    }
}
