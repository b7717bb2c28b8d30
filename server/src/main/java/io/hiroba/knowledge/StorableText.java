package io.hiroba.knowledge;

/** Text as the database can hold it and people can read it. */
public final class StorableText {

    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    /**
     * The same text with halves of characters replaced, control characters as spaces, and lines that end in one way. A line
     * break stays one: a passage is read as it was written.
     */
    public static String of(String text) {
        var clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                clean.append(c).append(text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                clean.append(REPLACEMENT);
            } else if (c == '\r') {
                if (i + 1 == text.length() || text.charAt(i + 1) != '\n') {
                    clean.append('\n');
                }
            } else if (c == '\f') {
                clean.append('\n');
            } else if (Character.isISOControl(c) && c != '\n' && c != '\t') {
                clean.append(' ');
            } else {
                clean.append(c);
            }
        }
        return clean.toString();
    }
}
