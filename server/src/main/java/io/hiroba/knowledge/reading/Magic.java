package io.hiroba.knowledge.reading;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Tells by its first bytes what a file is. */
final class Magic {

    private static final int LOOKED_AT = 8192;

    private Magic() {}

    /** What the content shows beyond doubt. */
    static Optional<Kind> of(byte[] content) {
        var start = new String(content, 0, Math.min(content.length, 1024), StandardCharsets.ISO_8859_1);
        if (start.contains("%PDF-")) {
            return Optional.of(Kind.PDF);
        }
        return start.startsWith("PK\3\4") && DocxReader.isDocx(content) ? Optional.of(Kind.DOCX) : Optional.empty();
    }

    /** Whether it is no text in any encoding that is read here. */
    static boolean isBinary(byte[] content) {
        if (Decoding.hasMark(content)) {
            return false;
        }
        int control = 0;
        int looked = Math.min(content.length, LOOKED_AT);
        for (int i = 0; i < looked; i++) {
            if (content[i] == 0) {
                return true;
            }
            if (content[i] > 0 && content[i] < ' ' && "\t\n\r\f\b\u001b".indexOf(content[i]) < 0) {
                control++;
            }
        }
        return control > looked / 50;
    }

    /** What a text without a name or type probably is. */
    static Kind guess(byte[] content) {
        var start = new String(content, 0, Math.min(content.length, LOOKED_AT), StandardCharsets.UTF_8)
                .stripLeading()
                .toLowerCase(Locale.ROOT);
        if (start.startsWith("<!doctype html") || start.startsWith("<html")) {
            return Kind.HTML;
        }
        if (start.startsWith("{") || start.startsWith("[{")) {
            return Kind.CHAT;
        }
        return Kind.TEXT;
    }
}
