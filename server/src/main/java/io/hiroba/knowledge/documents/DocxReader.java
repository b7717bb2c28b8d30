package io.hiroba.knowledge.documents;

import java.io.IOException;
import java.util.Set;
import javax.xml.stream.XMLStreamException;

/** Reads Word documents: an archive of XML files, three of which are used. */
final class DocxReader {

    static final String DOCUMENT = "word/document.xml";
    private static final String STYLES = "word/styles.xml";
    private static final Set<String> PARTS = Set.of(DOCUMENT, STYLES);

    private DocxReader() {}

    static ParsedDocument read(byte[] archive) {
        try {
            var parts = ArchiveParts.read(archive, PARTS::contains);
            var styles = parts.find(STYLES).orElse(null);
            var body = new DocxBody(parts.xml(DOCUMENT), styles == null ? DocxStyles.NONE : DocxStyles.read(styles));
            var sections = body.read();
            var title = parts.title();
            return new ParsedDocument(title == null ? body.firstHeading() : title, sections);
        } catch (IOException | XMLStreamException e) {
            throw ArchiveParts.corrupt();
        }
    }
}
