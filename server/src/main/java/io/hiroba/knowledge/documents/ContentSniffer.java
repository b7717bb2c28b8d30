package io.hiroba.knowledge.documents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Detects the type of a file by its first bytes. */
final class ContentSniffer {

    private static final int SAMPLE_SIZE = 8192;
    /** The place of the first file's name in an archive. */
    private static final int FIRST_NAME = 30;

    private ContentSniffer() {}

    /** The type that the content proves. */
    static Optional<DocumentType> of(byte[] content) {
        var start = new String(content, 0, Math.min(content.length, 1024), StandardCharsets.ISO_8859_1);
        if (start.contains("%PDF-")) {
            return Optional.of(DocumentType.PDF);
        }
        if (RtfReader.isRtf(content)) {
            return Optional.of(DocumentType.RTF);
        }
        return start.startsWith("PK\3\4") ? ofArchive(start, content) : Optional.empty();
    }

    /** By its main part, or by the type that stands uncompressed in its first file. */
    private static Optional<DocumentType> ofArchive(String start, byte[] archive) {
        var names = ArchiveParts.names(archive);
        if (names.contains(DocxReader.DOCUMENT)) {
            return Optional.of(DocumentType.DOCX);
        }
        if (names.contains(XlsxReader.WORKBOOK)) {
            return Optional.of(DocumentType.XLSX);
        }
        if (names.contains(PptxReader.PRESENTATION)) {
            return Optional.of(DocumentType.PPTX);
        }
        if (start.startsWith("mimetype" + EpubReader.MEDIA_TYPE, FIRST_NAME)
                || (names.contains("META-INF/container.xml") && names.contains("mimetype"))) {
            return Optional.of(DocumentType.EPUB);
        }
        return start.startsWith("mimetype" + OdtReader.MEDIA_TYPE + "PK", FIRST_NAME)
                        || (names.contains("mimetype") && OdtReader.MEDIA_TYPE.equals(mediaType(archive)))
                ? Optional.of(DocumentType.ODT)
                : Optional.empty();
    }

    /** The type that an archive tells in a file that should be its first, and is not where another program packed it. */
    private static @Nullable String mediaType(byte[] archive) {
        try {
            return ArchiveParts.read(archive, "mimetype"::equals)
                    .bytes("mimetype")
                    .map(type -> new String(type, StandardCharsets.US_ASCII).strip())
                    .orElse(null);
        } catch (IOException e) {
            return null;
        }
    }

    /** Whether it is binary, that is no text in a supported encoding, of which {@code charset} is declared. */
    static boolean isBinary(byte[] content, @Nullable String charset) {
        if (TextDecoder.hasWideMark(content)) {
            return false;
        }
        int control = 0;
        int looked = Math.min(content.length, SAMPLE_SIZE);
        for (int i = 0; i < looked; i++) {
            if (content[i] == 0) {
                return !TextDecoder.isWide(content, charset);
            }
            if (content[i] > 0 && content[i] < ' ' && "\t\n\r\f\b\u001b".indexOf(content[i]) < 0) {
                control++;
            }
        }
        return control > looked / 50;
    }

    /** The likely type of a text without a name or media type. */
    static DocumentType guess(byte[] content) {
        var start =
                new String(content, 0, Math.min(content.length, SAMPLE_SIZE), StandardCharsets.UTF_8).stripLeading();
        if (MailReader.isMailbox(start)) {
            return DocumentType.MAILBOX;
        }
        return MailReader.isMail(start) ? DocumentType.MAIL : markup(start.toLowerCase(Locale.ROOT));
    }

    private static DocumentType markup(String start) {
        if (start.startsWith("<!doctype html") || start.startsWith("<html")) {
            return DocumentType.HTML;
        }
        if (start.startsWith("{") || start.startsWith("[{")) {
            return DocumentType.CHAT;
        }
        return DocumentType.TEXT;
    }
}
