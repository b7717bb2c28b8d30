package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A supported type of document. */
public enum DocumentType {
    MARKDOWN("text/markdown", "text/x-markdown", "md markdown"),
    HTML("text/html", "application/xhtml+xml", "html htm xhtml"),
    PDF("application/pdf", "application/x-pdf", "pdf"),
    DOCX("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "", "docx"),
    XLSX("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "", "xlsx xlsm"),
    PPTX("application/vnd.openxmlformats-officedocument.presentationml.presentation", "", "pptx pptm"),
    ODT("application/vnd.oasis.opendocument.text", "", "odt"),
    EPUB("application/epub+zip", "", "epub"),
    RTF("application/rtf", "text/rtf", "rtf"),
    MAIL("message/rfc822", "", "eml"),
    MAILBOX("application/mbox", "", "mbox"),
    /** Source code of any language. */
    CODE("text/x-source", "text/javascript", CodeReader.EXTENSIONS),
    CSV("text/csv", "application/csv", "csv"),
    TSV("text/tab-separated-values", "", "tsv"),
    /** A chat export. */
    CHAT("application/json", "text/json", "json jsonl"),
    TEXT("text/plain", "", "txt text log rst adoc");

    private final String mediaType;
    private final String otherType;
    /** The file extensions, separated by spaces. */
    private final String extensions;

    DocumentType(String mediaType, String otherType, String extensions) {
        this.mediaType = mediaType;
        this.otherType = otherType;
        this.extensions = extensions;
    }

    public String mediaType() {
        return mediaType;
    }

    private boolean isText() {
        return switch (this) {
            case PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, MAIL, MAILBOX -> false;
            case MARKDOWN, HTML, CODE, CSV, TSV, CHAT, TEXT -> true;
        };
    }

    /** Whether a name or a declared type suffices; the content proves the others. */
    private boolean isNamed() {
        return isText() || this == MAIL || this == MAILBOX;
    }

    /** The type of a text declared as {@code mediaType}. */
    public static DocumentType ofText(String mediaType) {
        return ofType(mediaType).filter(DocumentType::isText).orElseThrow(() -> unsupported(""));
    }

    /**
     * The type of a file: by its content where that is conclusive, then by its name, then by the declared type, which
     * is often wrong.
     *
     * @param charset the encoding that is declared, if any
     */
    public static DocumentType of(@Nullable String mediaType, String name, @Nullable String charset, byte[] content) {
        var magic = ContentSniffer.of(content);
        if (magic.isPresent()) {
            return magic.get();
        }
        if (ContentSniffer.isBinary(content, charset)) {
            throw unsupported(name);
        }
        return ofName(name, mediaType)
                .or(() -> ofType(mediaType))
                .filter(DocumentType::isNamed)
                .or(() -> isWritten(mediaType) ? Optional.of(TEXT) : Optional.empty())
                .orElseGet(() -> ContentSniffer.guess(content));
    }

    private static boolean isWritten(@Nullable String mediaType) {
        return mediaType != null && mediaType.toLowerCase(Locale.ROOT).startsWith("text/");
    }

    private static Optional<DocumentType> ofType(@Nullable String mediaType) {
        if (mediaType == null) {
            return Optional.empty();
        }
        var type = mediaType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(kind -> kind.mediaType.equals(type) || (!type.isEmpty() && kind.otherType.equals(type)))
                .findFirst();
    }

    /** Pages end in the name of the language that makes them, so that what they say they are comes first. */
    private static Optional<DocumentType> ofName(String name, @Nullable String mediaType) {
        return ofExtension(name)
                .filter(kind -> kind != CODE || ofType(mediaType).orElse(CODE) != HTML);
    }

    /** The type of a file by the ending of its name. */
    public static Optional<DocumentType> ofExtension(String name) {
        if (name.indexOf('.') < 0) {
            return Optional.empty();
        }
        var extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(kind -> Arrays.asList(kind.extensions.split(" ", -1)).contains(extension))
                .findFirst();
    }

    private static KnowledgeProblem unsupported(String name) {
        var supported = Text.of("knowledge.supported-types");
        return new KnowledgeProblem(
                Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
                "unsupported",
                name.isBlank()
                        ? Text.of("knowledge.problem.unsupported", "supported", supported)
                        : Text.of("knowledge.problem.unsupported-file", "name", name, "supported", supported));
    }
}
