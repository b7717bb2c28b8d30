package io.hiroba.knowledge.pages;

/** The beginning of a text, in one line. */
final class Excerpt {

    private static final int LONGEST = 400;

    private Excerpt() {}

    static String of(String content) {
        var line = content.strip().replaceAll("\\s+", " ");
        if (line.length() <= LONGEST) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return line.substring(0, end) + "…";
    }
}
