package io.hiroba.knowledge.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How a stream in a PDF is packed.
 *
 * @param names in the order in which they are undone
 */
record PdfFilters(List<String> names) {

    private static final Set<String> MEASURED = Set.of("FlateDecode", "Fl");
    private static final Set<String> SPELLED = Set.of("ASCII85Decode", "A85", "ASCIIHexDecode", "AHx");
    private static final Set<String> UNMEASURED = Set.of("LZWDecode", "LZW", "RunLengthDecode", "RL", "");
    private static final int MOST = 8;

    PdfFilters {
        names = List.copyOf(names);
    }

    /** The filters that stand behind the word for them. */
    static PdfFilters behind(byte[] content, int from) {
        var names = new ArrayList<String>();
        int at = PdfName.next(content, from);
        if (at < content.length && content[at] == '/') {
            names.add(PdfName.at(content, at).text());
        } else if (at < content.length && content[at] == '[') {
            at = PdfName.next(content, at + 1);
            while (at < content.length && content[at] == '/' && names.size() <= MOST) {
                var name = PdfName.at(content, at);
                names.add(name.text());
                at = PdfName.next(content, name.end());
            }
            if (at >= content.length || content[at] != ']') {
                names.add("");
            }
        } else if (at < content.length && content[at] != 'n') {
            // They stand elsewhere: nobody writes so who has nothing to hide.
            names.add("");
        }
        return new PdfFilters(names);
    }

    /** Whether what a stream unpacks to can be measured: it is packed once, behind letters at most. */
    boolean areBounded() {
        if (names.size() > MOST || names.stream().anyMatch(UNMEASURED::contains)) {
            return false;
        }
        long packed = names.stream().filter(MEASURED::contains).count();
        return packed == 0
                || (packed == 1
                        && (MEASURED.contains(names.getFirst())
                                || (SPELLED.contains(names.getFirst()) && MEASURED.contains(names.get(1)))));
    }

    /** Whether it is packed and then written in letters. */
    boolean areSpelled() {
        return names.size() > 1 && SPELLED.contains(names.getFirst()) && MEASURED.contains(names.get(1));
    }
}
