package io.hiroba.knowledge.reading;

import io.hiroba.knowledge.KnowledgeProblem;
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
 * Takes the text out of the pages of a PDF, within bounds: pages may share what they show, and what they show may show other
 * things any number of times, so the size of the file says nothing of the work.
 */
final class PdfText extends PDFTextStripper {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int MOST_SIGNS = 20_000_000;
    /** A page's signs are held together until it is at its end. */
    private static final int MOST_ON_A_PAGE = 500_000;

    private static final int MOST_TEXT = 50_000_000;

    private final long begun = System.nanoTime();
    private long signs;
    private long onPage;
    private long text;

    PdfText() {}

    /** The text of the page that was chosen. */
    String page(PDDocument document) throws IOException {
        onPage = 0;
        requireTime();
        var page = getText(document);
        text += page.length();
        if (text > MOST_TEXT) {
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
        if (++signs > MOST_SIGNS || ++onPage > MOST_ON_A_PAGE) {
            throw tooLarge();
        }
        super.processTextPosition(position);
    }

    private void requireTime() {
        if (System.nanoTime() - begun > LONGEST.toNanos()) {
            throw tooLarge();
        }
    }

    private static KnowledgeProblem tooLarge() {
        return new KnowledgeProblem(
                Problem.Kind.TOO_LARGE, "too-large", "The PDF shows more than can be read. Hand it in in parts.");
    }
}
