package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.StorableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads PowerPoint presentations: a section a slide, with the speaker's notes. */
final class PptxReader {

    static final String PRESENTATION = "ppt/presentation.xml";

    private static final Set<String> TITLES = Set.of("title", "ctrTitle");
    /** Placeholders that repeat on every slide. */
    private static final Set<String> FURNITURE = Set.of("sldNum", "dt", "ftr", "hdr", "sldImg");

    private final TextBudget budget = new TextBudget();
    private int blocks;

    private PptxReader() {}

    static ParsedDocument read(byte[] archive) {
        try {
            var parts = ArchiveParts.read(archive, PptxReader::isWanted);
            var targets = parts.relations(PRESENTATION);
            var reader = new PptxReader();
            var sections = new ArrayList<Section>();
            int number = 0;
            for (var id : slides(parts.xml(PRESENTATION))) {
                var name = targets.getOrDefault(id, "");
                if (parts.has(name)) {
                    sections.add(reader.slide(parts, name, ++number));
                }
            }
            var title = parts.title();
            return new ParsedDocument(
                    title == null ? firstTitle(sections) : title, sections, Map.of("slide_count", number));
        } catch (IOException | XMLStreamException e) {
            throw ArchiveParts.corrupt();
        }
    }

    private static boolean isWanted(String name) {
        return name.equals(PRESENTATION)
                || name.equals("ppt/_rels/presentation.xml.rels")
                || name.startsWith("ppt/slides/")
                || name.startsWith("ppt/notesSlides/notesSlide");
    }

    /** The relations of the slides in their order; each once, whatever the file says. */
    private static Set<String> slides(XMLStreamReader xml) throws XMLStreamException {
        var slides = new LinkedHashSet<String>();
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("sldId")) {
                // The slide has an id of its own beside that of the relation, which stands in another namespace.
                for (int i = 0; i < xml.getAttributeCount(); i++) {
                    var space = xml.getAttributeNamespace(i);
                    if (xml.getAttributeLocalName(i).equals("id") && space != null && !space.isEmpty()) {
                        slides.add(xml.getAttributeValue(i));
                    }
                }
            }
        }
        return slides;
    }

    private static @Nullable String firstTitle(List<Section> sections) {
        return sections.stream()
                .flatMap(section -> section.path().stream())
                .findFirst()
                .orElse(null);
    }

    private Section slide(ArchiveParts parts, String name, int number) throws XMLStreamException {
        var slide = new Slide();
        slide.read(parts.xml(name));
        for (var related : parts.relations(name).values()) {
            var notes =
                    related.startsWith("ppt/notesSlides/") ? parts.find(related).orElse(null) : null;
            if (notes != null) {
                slide.read(notes);
            }
        }
        var path = slide.title == null ? List.<String>of() : List.of(slide.title);
        return new Section(path, number, null, slide.blocks, Section.Numbering.SLIDE);
    }

    /** The shapes of a slide. */
    private final class Slide {

        private final List<Block> blocks = new ArrayList<>();
        private final List<String> paragraphs = new ArrayList<>();
        private final List<String> rows = new ArrayList<>();
        private final List<String> cells = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private @Nullable String title;
        private String placeholder = "";

        void read(XMLStreamReader xml) throws XMLStreamException {
            while (xml.hasNext()) {
                switch (xml.next()) {
                    case XMLStreamReader.START_ELEMENT -> start(xml);
                    case XMLStreamReader.END_ELEMENT -> end(xml.getLocalName());
                    default -> {}
                }
            }
        }

        private void start(XMLStreamReader xml) throws XMLStreamException {
            switch (xml.getLocalName()) {
                case "sp" -> placeholder = "";
                case "ph" -> {
                    var type = ArchiveParts.attribute(xml, "type");
                    placeholder = type == null ? "" : type;
                }
                case "t" -> text.append(xml.getElementText());
                case "br" -> text.append('\n');
                case "Fallback" -> ArchiveParts.skip(xml);
                default -> {}
            }
        }

        private void end(String name) {
            switch (name) {
                case "p" -> {
                    var paragraph = StorableText.of(text.toString()).strip();
                    text.setLength(0);
                    if (!paragraph.isEmpty()) {
                        paragraphs.add(budget.take(paragraph));
                    }
                }
                case "tc" -> {
                    cells.add(String.join(" ", paragraphs).replaceAll("\\s+", " "));
                    paragraphs.clear();
                }
                case "tr" -> {
                    rows.add(String.join(" | ", cells));
                    cells.clear();
                    BlockLimit.check(++PptxReader.this.blocks);
                }
                case "tbl" -> {
                    if (!rows.isEmpty()) {
                        add(new Block.Table(rows.getFirst(), rows.subList(1, rows.size())));
                        rows.clear();
                    }
                }
                case "sp" -> shape();
                default -> {}
            }
        }

        private void shape() {
            var content = String.join("\n", paragraphs);
            paragraphs.clear();
            if (content.isEmpty() || FURNITURE.contains(placeholder)) {
                return;
            }
            if (TITLES.contains(placeholder)
                    && title == null
                    && content.length() <= SectionBuilder.MAX_HEADING_LENGTH) {
                title = content.replaceAll("\\s+", " ");
            } else {
                add(new Block.Text(content));
            }
        }

        private void add(Block block) {
            BlockLimit.check(++PptxReader.this.blocks);
            blocks.add(block);
        }
    }
}
