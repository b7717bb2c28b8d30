package io.hiroba.knowledge.documents;

import java.nio.charset.StandardCharsets;

/**
 * A name object in the bytes of a PDF.
 *
 * @param text with its numbered characters put in
 * @param end the place behind it
 */
record PdfName(String text, int end) {

    private static final int MAX_LENGTH = 127;
    private static final String DELIMITERS = "\0\t\n\f\r ()<>[]{}/%";

    /** The place of the next name. */
    static int find(byte[] content, int from) {
        int at = from;
        while (at < content.length && content[at] != '/') {
            at++;
        }
        return at < content.length ? at : -1;
    }

    /** The name whose stroke stands at that place. */
    static PdfName at(byte[] content, int at) {
        var text = new StringBuilder();
        int i = at + 1;
        while (i < content.length && DELIMITERS.indexOf(content[i]) < 0 && text.length() < MAX_LENGTH) {
            int code = content[i] == '#' ? code(content, i + 1) : -1;
            text.append((char) (code < 0 ? content[i] & 0xff : code));
            i += code < 0 ? 1 : 3;
        }
        return new PdfName(text.toString(), i);
    }

    private static int code(byte[] content, int at) {
        if (at + 2 > content.length) {
            return -1;
        }
        var digits = new String(content, at, 2, StandardCharsets.ISO_8859_1);
        int high = Character.digit(digits.charAt(0), 16);
        int low = Character.digit(digits.charAt(1), 16);
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }

    boolean is(String name) {
        return text.equals(name);
    }

    /** The place of what comes behind spaces, ends of lines and remarks. */
    static int next(byte[] content, int from) {
        int at = from;
        while (at < content.length && (content[at] == '%' || "\0\t\n\f\r ".indexOf(content[at]) >= 0)) {
            if (content[at] == '%') {
                while (at < content.length && content[at] != '\n' && content[at] != '\r') {
                    at++;
                }
            } else {
                at++;
            }
        }
        return at;
    }
}
