package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.filter.FilterFactory;
import org.apache.pdfbox.pdmodel.PDDocument;

/**
 * Refuses PDFs whose streams inflate to more than the limit. The library inflates each stream into memory as a whole,
 * some of them while it opens the file, and has no limit: so the sizes are measured in the bytes of the file first.
 * Filters whose output cannot be measured so are refused.
 */
final class PdfSizeCheck {

    private static final byte[] STREAM = "stream".getBytes(StandardCharsets.US_ASCII);

    private PdfSizeCheck() {}

    /** Refuses a file with a stream that would be too large, whatever the file says of it. */
    static void check(byte[] content) {
        boolean spelled = false;
        for (int at = PdfName.find(content, 0); at >= 0; at = PdfName.find(content, at + 1)) {
            var name = PdfName.at(content, at);
            if (name.is("Filter")) {
                var filters = PdfFilters.after(content, name.end());
                if (!filters.areBounded()) {
                    throw tooLarge();
                }
                spelled |= filters.areSpelled();
            }
        }
        try (var unpacked = new InflatedSize()) {
            for (int at = find(content, 0); at >= 0; at = find(content, at)) {
                int start = begin(content, at);
                unpacked.begin();
                unpacked.write(content, start, content.length - start);
                if (spelled) {
                    measure(content, start, '~', COSName.ASCII85_DECODE, unpacked);
                    measure(content, start, '>', COSName.ASCII_HEX_DECODE, unpacked);
                }
            }
        }
    }

    /** Measures what is written in letters up to {@code end}, as that filter reads it. */
    private static void measure(byte[] content, int start, char end, COSName filter, InflatedSize unpacked) {
        int length = 0;
        while (start + length < content.length && content[start + length] != end) {
            length++;
        }
        unpacked.count(length);
        unpacked.begin();
        try {
            FilterFactory.INSTANCE
                    .getFilter(filter)
                    .decode(new ByteArrayInputStream(content, start, length), unpacked, new COSDictionary(), 0);
        } catch (IOException e) {
            // It is not written so; what could be read of it was counted.
            unpacked.count(1);
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

    /** The start of a stream as the library sees it: after spaces and one line break. */
    private static int begin(byte[] content, int at) {
        int start = at;
        while (start < content.length && content[start] == ' ') {
            start++;
        }
        if (start < content.length && content[start] == '\r') {
            start++;
            return start < content.length && content[start] == '\n' ? start + 1 : start;
        }
        return start < content.length && content[start] == '\n' ? start + 1 : start;
    }

    /** Refuses once more what the library itself takes for packed in such a way. */
    static void check(PDDocument document) {
        var objects = document.getDocument();
        for (var key : objects.getXrefTable().keySet()) {
            if (objects.getObjectFromPool(key).getObject() instanceof COSStream stream
                    && !new PdfFilters(filters(stream)).areBounded()) {
                throw tooLarge();
            }
        }
    }

    private static List<String> filters(COSStream stream) {
        return switch (stream.getFilters()) {
            case COSName name -> List.of(name.getName());
            case COSArray names ->
                names.toList().stream()
                        .map(name -> name instanceof COSName known ? known.getName() : "")
                        .toList();
            case null, default -> List.of();
        };
    }

    static KnowledgeProblem tooLarge() {
        return KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.pdf-too-large"));
    }
}
