package io.hiroba.knowledge.reading;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads documents of every kind, few of them at once: each may take as much memory as a document is allowed to. */
public final class Readers {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Semaphore places =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors() / 2));

    /** What a text of that kind says. */
    public Reading read(Kind kind, String text) {
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
        enter();
        try {
            return switch (kind) {
                case PDF -> PdfReader.read(content);
                case DOCX -> DocxReader.read(content);
                case HTML -> HtmlReader.read(content, charset);
                default -> read(kind, Decoding.text(content, charset));
            };
        } finally {
            places.release();
        }
    }

    private void enter() {
        try {
            if (places.tryAcquire(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new KnowledgeProblem(
                Problem.Kind.UNAVAILABLE, "busy", "Many documents are being read. Try again shortly.");
    }
}
