package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.pdfbox.contentstream.operator.Operator;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;

/**
 * Extracts the text of PDF pages within limits: pages may share content, and content may repeat other content any
 * number of times, so the size of the file does not bound the work.
 */
final class PdfTextExtractor extends PDFTextStripper {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_GLYPHS = 20_000_000;
    /** The maximum characters of a page, which are in memory together. */
    private static final int MAX_PAGE_GLYPHS = 500_000;

    private static final int MAX_TEXT_LENGTH = 50_000_000;

    private final long start = System.nanoTime();
    private long characters;
    private long onPage;
    private long text;

    PdfTextExtractor() {}

    /** The text of the selected page. */
    String page(PDDocument document) throws IOException {
        onPage = 0;
        requireTime();
        var page = getText(document);
        text += page.length();
        if (text > MAX_TEXT_LENGTH) {
            throw tooLarge();
        }
        return page;
    }

    @Override
    protected void processOperator(Operator operator, List<COSBase> operands) throws IOException {
        requireTime();
        super.processOperator(operator, operands);
    }

    @Override
    protected void processTextPosition(TextPosition position) {
        if (++characters > MAX_GLYPHS || ++onPage > MAX_PAGE_GLYPHS) {
            throw tooLarge();
        }
        super.processTextPosition(position);
    }

    private void requireTime() {
        if (System.nanoTime() - start > TIMEOUT.toNanos()) {
            throw tooLarge();
        }
    }

    private static KnowledgeProblem tooLarge() {
        return new KnowledgeProblem(Problem.Kind.TOO_LARGE, "too-large", Text.of("knowledge.problem.too-complex"));
    }
}
