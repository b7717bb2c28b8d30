package io.hiroba.platform.text;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacter.EastAsianWidth;
import com.ibm.icu.lang.UProperty;
import java.util.Collection;

/** The columns that a text takes in a terminal: two for a character of Chinese or Japanese. */
public final class DisplayWidth {

    private DisplayWidth() {}

    static int of(String text) {
        return text.codePoints()
                .map(c -> switch (UCharacter.getIntPropertyValue(c, UProperty.EAST_ASIAN_WIDTH)) {
                    case EastAsianWidth.WIDE, EastAsianWidth.FULLWIDTH -> 2;
                    default -> 1;
                })
                .sum();
    }

    /** The text with as many spaces behind it that it is as wide as the widest of {@code column}. */
    public static String padded(String text, Collection<String> column) {
        int widest = column.stream().mapToInt(DisplayWidth::of).max().orElse(0);
        return text + " ".repeat(Math.max(0, widest - of(text)));
    }
}
