package io.hiroba.platform.text;

import java.util.regex.Pattern;

/** Text in which each character is seen: others could make one text look like another, or hide one in it. */
public final class VisibleText {

    /** Characters that are not seen, or change how others are. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}&&[^\\n\\t]]");

    private VisibleText() {}

    /** The text with unseen characters written out by their numbers. */
    public static String of(String text) {
        return UNSEEN.matcher(text.replace("\r\n", "\n"))
                .replaceAll(found -> "\\\\u{%x}".formatted(found.group().codePointAt(0)));
    }

    /** Whether nothing of the text is seen. */
    public static boolean isBlank(String text) {
        return UNSEEN.matcher(text).replaceAll("").isBlank();
    }

    /** Whether the text has no unseen character. */
    public static boolean isVisible(String text) {
        return !UNSEEN.matcher(text.replace("\r\n", "\n")).find();
    }
}
