package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads PDFs page by page. */
final class PdfReader {

    private static final Logger LOG = LoggerFactory.getLogger(PdfReader.class);
    private static final int MAX_PAGES = 5_000;

    static {
        // The library notes which fonts there are; without this it would do so in somebody's home.
        if (System.getProperty("pdfbox.fontcache") == null) {
            System.setProperty("pdfbox.fontcache", System.getProperty("java.io.tmpdir"));
        }
    }

    private PdfReader() {}

    static ParsedDocument read(byte[] content) {
        PdfSizeCheck.check(content);
        try (var document = Loader.loadPDF(content, "", null, null, IOUtils.createTempFileOnlyStreamCache())) {
            if (document.isEncrypted()) {
                // Also with an empty password: what is packed inside could not be measured.
                throw encrypted();
            }
            if (document.getNumberOfPages() > MAX_PAGES) {
                throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.pdf-pages", "max", MAX_PAGES));
            }
            PdfSizeCheck.check(document);
            var sections = pages(document);
            if (sections.isEmpty()) {
                throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.pdf-no-text"));
            }
            return new ParsedDocument(title(document), sections, Map.of("page_count", document.getNumberOfPages()));
        } catch (InvalidPasswordException e) {
            throw encrypted();
        } catch (IOException
                | IllegalArgumentException
                | IllegalStateException
                | ClassCastException
                | IndexOutOfBoundsException
                | NullPointerException
                | StackOverflowError e) {
            // What a broken one can do to its reader is not documented; none of it is a fault of ours.
            LOG.debug("A PDF cannot be read", e);
            throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.pdf-corrupt"));
        }
    }

    private static KnowledgeProblem encrypted() {
        return KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.pdf-encrypted"));
    }

    private static List<Section> pages(PDDocument document) throws IOException {
        var stripper = new PdfTextExtractor();
        stripper.setLineSeparator("\n");
        stripper.setParagraphEnd("\n");
        stripper.setSortByPosition(true);
        var sections = new ArrayList<Section>();
        for (int page = 1; page <= document.getNumberOfPages(); page++) {
            stripper.setStartPage(page);
            stripper.setEndPage(page);
            var blocks = paragraphs(stripper.page(document));
            if (!blocks.isEmpty()) {
                sections.add(new Section(List.of(), page, null, blocks));
            }
        }
        return sections;
    }

    private static List<Block> paragraphs(String text) {
        // A word that was parted at the end of a line is one word again.
        var joined = StorableText.of(text).replaceAll("(?<=\\p{L})-\\n(?=\\p{Ll})", "");
        return TextReader.read(joined).sections().stream()
                .flatMap(section -> section.blocks().stream())
                .toList();
    }

    private static @Nullable String title(PDDocument document) {
        var title = document.getDocumentInformation().getTitle();
        return title == null || title.isBlank() ? null : StorableText.of(title);
    }
}
