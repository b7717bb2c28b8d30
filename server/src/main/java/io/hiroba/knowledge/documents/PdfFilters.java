package io.hiroba.knowledge.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The filters of a PDF stream.
 *
 * @param names in decoding order
 */
record PdfFilters(List<String> names) {

    private static final Set<String> FLATE = Set.of("FlateDecode", "Fl");
    private static final Set<String> ASCII = Set.of("ASCII85Decode", "A85", "ASCIIHexDecode", "AHx");
    private static final Set<String> UNSUPPORTED = Set.of("LZWDecode", "LZW", "RunLengthDecode", "RL", "");
    private static final int MAX_FILTERS = 8;

    PdfFilters {
        names = List.copyOf(names);
    }

    /** Parses the filters after the key. */
    static PdfFilters after(byte[] content, int from) {
        var names = new ArrayList<String>();
        int at = PdfName.next(content, from);
        if (at < content.length && content[at] == '/') {
            names.add(PdfName.at(content, at).text());
        } else if (at < content.length && content[at] == '[') {
            at = PdfName.next(content, at + 1);
            while (at < content.length && content[at] == '/' && names.size() <= MAX_FILTERS) {
                var name = PdfName.at(content, at);
                names.add(name.text());
                at = PdfName.next(content, name.end());
            }
            if (at >= content.length || content[at] != ']') {
                names.add("");
            }
        } else if (at < content.length && content[at] != 'n') {
            // An indirect reference, which only suspicious files use.
            names.add("");
        }
        return new PdfFilters(names);
    }

    /** Whether the inflated size can be measured: one compression, at most inside an ASCII encoding. */
    boolean areBounded() {
        if (names.size() > MAX_FILTERS || names.stream().anyMatch(UNSUPPORTED::contains)) {
            return false;
        }
        long compressed = names.stream().filter(FLATE::contains).count();
        return compressed == 0
                || (compressed == 1
                        && (FLATE.contains(names.getFirst())
                                || (ASCII.contains(names.getFirst()) && FLATE.contains(names.get(1)))));
    }

    /** Whether it is compressed and then ASCII-encoded. */
    boolean areSpelled() {
        return names.size() > 1 && ASCII.contains(names.getFirst()) && FLATE.contains(names.get(1));
    }
}
