package io.hiroba.knowledge.reading;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.problem.Problem;
import org.jspecify.annotations.Nullable;

/** Reads documents of every kind. */
public final class Readers {

    /** What is read into a tree first takes many times its size. */
    private static final int LARGEST_TREE = 5 << 20;

    /** What a text of that kind says. */
    public Reading read(Kind kind, String text) {
        requireSize(kind, text.length());
        var clean = StorableText.of(text);
        return switch (kind) {
            case MARKDOWN -> MarkdownReader.read(clean);
            case HTML -> HtmlReader.read(clean);
            case CSV -> CsvReader.read(clean);
            case TSV -> CsvReader.read(clean, '\t');
            case CHAT -> ChatReader.read(clean);
            case TEXT -> WhatsAppReader.isExport(clean) ? WhatsAppReader.read(clean) : TextReader.read(clean);
            case PDF, DOCX -> throw new IllegalArgumentException(kind + " is no text");
        };
    }

    /**
     * What a file of that kind says.
     *
     * @param charset the encoding its sender told, if any
     */
    public Reading read(Kind kind, byte[] content, @Nullable String charset) {
        requireSize(kind, content.length);
        return switch (kind) {
            case PDF -> PdfReader.read(content);
            case DOCX -> DocxReader.read(content);
            case HTML -> HtmlReader.read(content, charset);
            default -> read(kind, Decoding.text(content, charset));
        };
    }

    private static void requireSize(Kind kind, int size) {
        if ((kind == Kind.HTML || kind == Kind.CHAT) && size > LARGEST_TREE) {
            throw new KnowledgeProblem(
                    Problem.Kind.TOO_LARGE,
                    "too-large",
                    "HTML and JSON may not be larger than 5 MB. Hand it in in parts, or as text.");
        }
    }
}
