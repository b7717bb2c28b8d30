package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import org.jspecify.annotations.Nullable;

/** Parses documents of every supported type. */
public final class DocumentReader {

    /** Tree parsers use many times the size of their input. */
    static final int MAX_TREE_SIZE = 5 << 20;

    /** Parses a text of that type. */
    public ParsedDocument read(DocumentType kind, String text) {
        requireSize(kind, text.length());
        var clean = StorableText.of(text);
        return switch (kind) {
            case MARKDOWN -> MarkdownReader.read(clean);
            case HTML -> HtmlReader.read(clean);
            case CSV -> CsvReader.read(clean);
            case TSV -> CsvReader.read(clean, '\t');
            case CHAT -> ChatReader.read(clean);
            case TEXT -> WhatsAppReader.isExport(clean) ? WhatsAppReader.read(clean) : TextReader.read(clean);
            case CODE -> CodeReader.read(clean);
            case PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, MAIL, MAILBOX ->
                throw new IllegalArgumentException(kind + " is no text");
        };
    }

    /**
     * Parses a file of that type.
     *
     * @param charset the encoding its sender told, if any
     */
    public ParsedDocument read(DocumentType kind, byte[] content, @Nullable String charset) {
        requireSize(kind, content.length);
        return switch (kind) {
            case PDF -> PdfReader.read(content);
            case DOCX -> DocxReader.read(content);
            case XLSX -> XlsxReader.read(content);
            case PPTX -> PptxReader.read(content);
            case ODT -> OdtReader.read(content);
            case EPUB -> EpubReader.read(content);
            case RTF -> RtfReader.read(content);
            case MAIL -> MailReader.read(content);
            case MAILBOX -> MailReader.readMailbox(content);
            case HTML, CODE -> read(kind, TextDecoder.markup(content, charset));
            default -> read(kind, TextDecoder.text(content, charset));
        };
    }

    /** Whether texts in an encoding of that name can be read. */
    public static boolean isCharset(String name) {
        return TextDecoder.isKnown(name);
    }

    private static void requireSize(DocumentType kind, int size) {
        if ((kind == DocumentType.HTML || kind == DocumentType.CHAT) && size > MAX_TREE_SIZE) {
            throw new KnowledgeProblem(
                    Problem.Kind.TOO_LARGE, "too-large", Text.of("knowledge.problem.too-large-tree"));
        }
    }
}
