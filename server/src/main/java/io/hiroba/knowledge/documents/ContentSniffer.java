package io.hiroba.knowledge.documents;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Detects the type of a file by its first bytes. */
final class ContentSniffer {

    private static final int SAMPLE_SIZE = 8192;

    private ContentSniffer() {}

    /** The type that the content proves. */
    static Optional<DocumentType> of(byte[] content) {
        var start = new String(content, 0, Math.min(content.length, 1024), StandardCharsets.ISO_8859_1);
        if (start.contains("%PDF-")) {
            return Optional.of(DocumentType.PDF);
        }
        return start.startsWith("PK\3\4") && DocxReader.isDocx(content)
                ? Optional.of(DocumentType.DOCX)
                : Optional.empty();
    }

    /** Whether it is binary, that is no text in a supported encoding. */
    static boolean isBinary(byte[] content) {
        if (TextDecoder.hasMark(content)) {
            return false;
        }
        int control = 0;
        int looked = Math.min(content.length, SAMPLE_SIZE);
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

    /** The likely type of a text without a name or media type. */
    static DocumentType guess(byte[] content) {
        var start = new String(content, 0, Math.min(content.length, SAMPLE_SIZE), StandardCharsets.UTF_8)
                .stripLeading()
                .toLowerCase(Locale.ROOT);
        if (start.startsWith("<!doctype html") || start.startsWith("<html")) {
            return DocumentType.HTML;
        }
        if (start.startsWith("{") || start.startsWith("[{")) {
            return DocumentType.CHAT;
        }
        return DocumentType.TEXT;
    }
}
