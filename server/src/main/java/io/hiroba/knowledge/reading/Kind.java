package io.hiroba.knowledge.reading;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.problem.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of document that can be read. */
public enum Kind {
    MARKDOWN("text/markdown", "text/x-markdown", "md markdown"),
    HTML("text/html", "application/xhtml+xml", "html htm xhtml"),
    PDF("application/pdf", "application/x-pdf", "pdf"),
    DOCX("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "", "docx"),
    CSV("text/csv", "application/csv", "csv"),
    TSV("text/tab-separated-values", "", "tsv"),
    /** A conversation, as programs export it. */
    CHAT("application/json", "text/json", "json"),
    TEXT("text/plain", "", "txt text log rst adoc");

    private static final String TAKEN =
            "Markdown, plain text, HTML, PDF, DOCX, CSV, or an exported conversation as JSON or text";

    private final String mediaType;
    private final String otherType;
    /** Between spaces. */
    private final String extensions;

    Kind(String mediaType, String otherType, String extensions) {
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

    /** The kind of a text that its writer says is of {@code mediaType}. */
    public static Kind ofText(String mediaType) {
        return ofType(mediaType).filter(Kind::isText).orElseThrow(() -> unsupported("This"));
    }

    /**
     * The kind of a file. What its content shows beyond doubt comes first, then its name, then what its sender says, who
     * often does not know.
     */
    public static Kind of(@Nullable String mediaType, String name, byte[] content) {
        var magic = Magic.of(content);
        if (magic.isPresent()) {
            return magic.get();
        }
        if (Magic.isBinary(content)) {
            throw unsupported(name.isBlank() ? "This" : "“" + name + "”");
        }
        return ofExtension(name)
                .or(() -> ofType(mediaType))
                .filter(Kind::isText)
                .or(() -> isWritten(mediaType) ? Optional.of(TEXT) : Optional.empty())
                .orElseGet(() -> Magic.guess(content));
    }

    private static boolean isWritten(@Nullable String mediaType) {
        return mediaType != null && mediaType.toLowerCase(Locale.ROOT).startsWith("text/");
    }

    private static Optional<Kind> ofType(@Nullable String mediaType) {
        if (mediaType == null) {
            return Optional.empty();
        }
        var type = mediaType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(kind -> kind.mediaType.equals(type) || (!type.isEmpty() && kind.otherType.equals(type)))
                .findFirst();
    }

    private static Optional<Kind> ofExtension(String name) {
        var extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(kind -> Arrays.asList(kind.extensions.split(" ", -1)).contains(extension))
                .findFirst();
    }

    private static KnowledgeProblem unsupported(String what) {
        return new KnowledgeProblem(
                Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
                "unsupported",
                "%s is of a kind that cannot be read. What can be: %s.".formatted(what, TAKEN));
    }
}
