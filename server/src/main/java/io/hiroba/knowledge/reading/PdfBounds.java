package io.hiroba.knowledge.reading;

import io.hiroba.knowledge.KnowledgeProblem;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdmodel.PDDocument;

/**
 * Keeps small PDFs from becoming large ones. Each stream in a PDF is unpacked into memory as a whole when it is needed, and
 * the library has no limit for it: so it is seen beforehand how large each would be.
 */
final class PdfBounds {

    private static final long LARGEST_STREAM = 64L << 20;
    private static final byte[] STREAM = "stream".getBytes(StandardCharsets.US_ASCII);
    private static final Set<COSName> PACKING = Set.of(
            COSName.FLATE_DECODE,
            COSName.FLATE_DECODE_ABBREVIATION,
            COSName.LZW_DECODE,
            COSName.LZW_DECODE_ABBREVIATION,
            COSName.RUN_LENGTH_DECODE,
            COSName.RUN_LENGTH_DECODE_ABBREVIATION);

    private PdfBounds() {}

    /** Refuses a file with a stream that would be too large, whatever the file says of it. */
    static void check(byte[] content) {
        long total = 0;
        for (int at = find(content, 0); at >= 0; at = find(content, at)) {
            int start = at;
            while (start < content.length && (content[start] == '\r' || content[start] == '\n')) {
                start++;
            }
            if (start + 1 < content.length && (content[start] & 0x0f) == 8) {
                total += unpacked(content, start);
                if (total > 16 * LARGEST_STREAM) {
                    throw tooLarge();
                }
            }
        }
    }

    /** The place behind the next word that begins a stream. */
    private static int find(byte[] content, int from) {
        for (int i = from; i + STREAM.length <= content.length; i++) {
            int matched = 0;
            while (matched < STREAM.length && content[i + matched] == STREAM[matched]) {
                matched++;
            }
            if (matched == STREAM.length && (i == 0 || content[i - 1] != 'd')) {
                return i + matched;
            }
        }
        return -1;
    }

    private static long unpacked(byte[] content, int start) {
        var inflater = new Inflater();
        try {
            inflater.setInput(content, start, content.length - start);
            var buffer = new byte[64 * 1024];
            while (!inflater.finished() && !inflater.needsInput() && !inflater.needsDictionary()) {
                inflater.inflate(buffer);
                if (inflater.getBytesWritten() > LARGEST_STREAM) {
                    throw tooLarge();
                }
            }
            return inflater.getBytesWritten();
        } catch (DataFormatException e) {
            return inflater.getBytesWritten();
        } finally {
            inflater.end();
        }
    }

    /** Refuses streams that are packed twice: such a one can hold a million times its size. */
    static void check(PDDocument document) {
        var objects = document.getDocument();
        for (var key : objects.getXrefTable().keySet()) {
            if (objects.getObjectFromPool(key).getObject() instanceof COSStream stream
                    && stream.getFilters() instanceof COSArray filters
                    && filters.toList().stream().filter(PACKING::contains).count() > 1) {
                throw tooLarge();
            }
        }
    }

    private static KnowledgeProblem tooLarge() {
        return KnowledgeProblem.unreadable("The PDF unpacks to more than can be read.");
    }
}
