package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads Word documents: an archive of XML files, three of which are used. */
final class DocxReader {

    private static final String DOCUMENT = "word/document.xml";
    private static final String STYLES = "word/styles.xml";
    private static final String PROPERTIES = "docProps/core.xml";
    private static final Set<String> PARTS = Set.of(DOCUMENT, STYLES, PROPERTIES);

    /** The maximum decompressed size, including skipped entries. */
    private static final long MAX_SIZE = 200L << 20;

    private static final long MAX_PART_SIZE = 64L << 20;
    private static final int MAX_FILES = 10_000;

    private DocxReader() {}

    /** Whether an archive is a Word document: the names of its files stand in it as they are. */
    static boolean isDocx(byte[] archive) {
        return new String(archive, StandardCharsets.ISO_8859_1).contains(DOCUMENT);
    }

    static ParsedDocument read(byte[] archive) {
        try {
            var parts = parts(archive);
            var document = parts.get(DOCUMENT);
            if (document == null) {
                throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.not-word"));
            }
            var styles = parts.containsKey(STYLES) ? DocxStyles.read(xml(parts.get(STYLES))) : DocxStyles.NONE;
            var body = new DocxBody(xml(document), styles);
            var sections = body.read();
            var title = parts.containsKey(PROPERTIES) ? title(xml(parts.get(PROPERTIES))) : null;
            return new ParsedDocument(title == null ? body.firstHeading() : title, sections);
        } catch (IOException | XMLStreamException e) {
            throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.word-corrupt"));
        }
    }

    private static Map<String, byte[]> parts(byte[] archive) throws IOException {
        var parts = new HashMap<String, byte[]>();
        long total = 0;
        int files = 0;
        try (var zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                boolean wanted = PARTS.contains(entry.getName());
                var out = new ByteArrayOutputStream();
                total += copy(zip, wanted ? out : null, MAX_SIZE - total);
                if (++files > MAX_FILES || out.size() > MAX_PART_SIZE) {
                    throw tooLarge();
                }
                if (wanted) {
                    parts.putIfAbsent(entry.getName(), out.toByteArray());
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("A name in the archive cannot be read", e);
        }
        return parts;
    }

    private static long copy(InputStream in, @Nullable ByteArrayOutputStream out, long room) throws IOException {
        var buffer = new byte[64 * 1024];
        long total = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            total += count;
            if (total > room || (out != null && total > MAX_PART_SIZE)) {
                throw tooLarge();
            }
            if (out != null) {
                out.write(buffer, 0, count);
            }
        }
        return total;
    }

    private static KnowledgeProblem tooLarge() {
        return KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.word-too-large"));
    }

    /** Without document types, and so without entities of any kind. */
    private static XMLStreamReader xml(byte[] part) throws XMLStreamException {
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory.createXMLStreamReader(new ByteArrayInputStream(part));
    }

    private static @Nullable String title(XMLStreamReader xml) throws XMLStreamException {
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("title")) {
                var title = StorableText.of(xml.getElementText()).strip();
                return title.isEmpty() ? null : title;
            }
        }
        return null;
    }
}
