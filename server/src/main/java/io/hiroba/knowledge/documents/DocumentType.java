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
    CSV("text/csv", "application/csv", "csv"),
    TSV("text/tab-separated-values", "", "tsv"),
    /** A chat export. */
    CHAT("application/json", "text/json", "json"),
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
        return this != PDF && this != DOCX;
    }

    /** The type of a text declared as {@code mediaType}. */
    public static DocumentType ofText(String mediaType) {
        return ofType(mediaType).filter(DocumentType::isText).orElseThrow(() -> unsupported(""));
    }

    /**
     * The type of a file: by its content where that is conclusive, then by its name, then by the declared type, which
     * is often wrong.
     */
    public static DocumentType of(@Nullable String mediaType, String name, byte[] content) {
        var magic = ContentSniffer.of(content);
        if (magic.isPresent()) {
            return magic.get();
        }
        if (ContentSniffer.isBinary(content)) {
            throw unsupported(name);
        }
        return ofExtension(name)
                .or(() -> ofType(mediaType))
                .filter(DocumentType::isText)
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

    private static Optional<DocumentType> ofExtension(String name) {
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
