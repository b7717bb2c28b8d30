package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.StorableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Parses the body of a Word document. */
final class DocxBody {

    private final XMLStreamReader xml;
    private final DocxStyles styles;
    private final SectionBuilder outline = new SectionBuilder();
    private final StringBuilder text = new StringBuilder();
    private final List<String> items = new ArrayList<>();
    private final OpenTable table = new OpenTable();
    private Optional<Integer> level = Optional.empty();
    private boolean isItem;

    DocxBody(XMLStreamReader xml, DocxStyles styles) {
        this.xml = xml;
        this.styles = styles;
    }

    List<Section> read() throws XMLStreamException {
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamReader.START_ELEMENT -> start(xml.getLocalName());
                case XMLStreamReader.END_ELEMENT -> end(xml.getLocalName());
                default -> {}
            }
        }
        endList();
        return outline.sections();
    }

    @Nullable
    String firstHeading() {
        return outline.first();
    }

    private void start(String name) throws XMLStreamException {
        switch (name) {
            case "p" -> {
                // A text box inside a paragraph has its own paragraphs.
                paragraph(StorableText.of(text.toString()).strip());
                level = Optional.empty();
                isItem = false;
            }
            case "pStyle" -> level = level.or(() -> styles.level(ArchiveParts.attribute(xml, "val")));
            case "outlineLvl" -> level = outlineLevel(xml).or(() -> level);
            case "numPr" -> isItem = true;
            case "t" -> text.append(xml.getElementText());
            case "tab" -> text.append(' ');
            case "br", "cr" -> text.append('\n');
            case "noBreakHyphen" -> text.append('-');
            case "tbl" -> {
                if (table.begin()) {
                    endList();
                }
            }
            // The content for older programs.
            case "Fallback" -> ArchiveParts.skip(xml);
            default -> {}
        }
    }

    private void end(String name) {
        switch (name) {
            case "p" -> paragraph(StorableText.of(text.toString()).strip());
            case "tc" -> table.endCell();
            case "tr" -> table.endRow();
            case "tbl" -> table.end().ifPresent(outline::add);
            default -> {}
        }
    }

    private void paragraph(String content) {
        text.setLength(0);
        if (content.isEmpty()) {
            return;
        }
        if (table.isOpen()) {
            table.add(content);
        } else if (level.isPresent()) {
            endList();
            outline.heading(level.get(), content, null);
        } else if (isItem) {
            BlockLimit.check(items.size());
            items.add("- " + content);
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

    /** The heading level from 1; empty for body text. */
    static Optional<Integer> outlineLevel(XMLStreamReader xml) {
        var value = ArchiveParts.attribute(xml, "val");
        return value != null && value.matches("[0-8]") ? Optional.of(Integer.parseInt(value) + 1) : Optional.empty();
    }
}
