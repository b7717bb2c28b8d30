package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads OpenDocument texts, as LibreOffice writes them. */
final class OdtReader {

    static final String MEDIA_TYPE = "application/vnd.oasis.opendocument.text";

    private static final String CONTENT = "content.xml";
    private static final String META = "meta.xml";
    private static final String MANIFEST = "META-INF/manifest.xml";
    private static final Set<String> PARTS = Set.of(CONTENT, META, MANIFEST);
    /** What was deleted, what is in the margin, the numbers of footnotes, and how a table is counted. */
    private static final Set<String> SKIPPED = Set.of(
            "tracked-changes", "annotation", "note-citation", "sequence-decls", "automatic-styles", "scripts", "forms");

    private static final int MAX_SPACES = 20;

    private final XMLStreamReader xml;
    private final SectionBuilder outline = new SectionBuilder();
    private final StringBuilder text = new StringBuilder();
    private final List<String> items = new ArrayList<>();
    private final OpenTable table = new OpenTable();
    private int level;
    private int lists;
    private int paragraphs;

    private OdtReader(XMLStreamReader xml) {
        this.xml = xml;
    }

    static ParsedDocument read(byte[] archive) {
        try {
            var parts = ArchiveParts.read(archive, PARTS::contains);
            if (new String(parts.bytes(MANIFEST).orElse(new byte[0]), StandardCharsets.UTF_8)
                    .contains("encryption-data")) {
                throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.encrypted"));
            }
            var reader = new OdtReader(parts.xml(CONTENT));
            reader.read();
            var title = parts.title(META);
            return new ParsedDocument(title == null ? reader.outline.first() : title, reader.outline.sections());
        } catch (IOException | XMLStreamException e) {
            throw ArchiveParts.corrupt();
        }
    }

    private void read() throws XMLStreamException {
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamReader.START_ELEMENT -> start(xml.getLocalName());
                case XMLStreamReader.END_ELEMENT -> end(xml.getLocalName());
                case XMLStreamReader.CHARACTERS -> {
                    if (paragraphs > 0) {
                        text.append(xml.getText().replaceAll("\\s+", " "));
                    }
                }
                default -> {}
            }
        }
        endList();
    }

    private void start(String name) throws XMLStreamException {
        if (SKIPPED.contains(name)) {
            ArchiveParts.skip(xml);
            return;
        }
        switch (name) {
            case "p", "h" -> {
                // A frame inside a paragraph has its own paragraphs.
                paragraph();
                paragraphs++;
                var depth = ArchiveParts.attribute(xml, "outline-level");
                level = !name.equals("h") ? 0 : depth != null && depth.matches("[1-9]") ? Integer.parseInt(depth) : 1;
            }
            case "s" -> {
                var count = ArchiveParts.attribute(xml, "c");
                boolean isMany = count != null && count.matches("[0-9]{1,3}");
                text.repeat(' ', isMany ? Math.min(Integer.parseInt(count), MAX_SPACES) : 1);
            }
            case "tab" -> text.append(' ');
            case "line-break" -> text.append('\n');
            case "list" -> lists++;
            case "table" -> {
                if (table.begin()) {
                    endList();
                }
            }
            default -> {}
        }
    }

    private void end(String name) {
        switch (name) {
            case "p", "h" -> {
                paragraph();
                paragraphs--;
            }
            case "list" -> {
                if (--lists == 0) {
                    endList();
                }
            }
            case "table-cell", "covered-table-cell" -> table.endCell();
            case "table-row" -> table.endRow();
            case "table" -> table.end().ifPresent(outline::add);
            default -> {}
        }
    }

    private void paragraph() {
        var content = StorableText.of(text.toString()).strip();
        text.setLength(0);
        if (content.isEmpty()) {
            return;
        }
        if (table.isOpen()) {
            table.add(content);
        } else if (level > 0) {
            endList();
            outline.heading(level, content, null);
        } else if (lists > 0) {
            BlockLimit.check(items.size());
            items.add("  ".repeat(Math.min(lists, 10) - 1) + "- " + content);
        } else {
            endList();
            outline.text(content);
        }
    }

    private void endList() {
        if (!items.isEmpty()) {
            outline.add(new Block.Items(items));
            items.clear();
        }
    }
}
