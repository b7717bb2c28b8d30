package io.hiroba.knowledge.documents;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** The heading levels of a Word document's styles. */
record DocxStyles(Map<String, Integer> levels) {

    static final DocxStyles NONE = new DocxStyles(Map.of());

    private static final Pattern HEADING = Pattern.compile("heading ?([1-9])");

    DocxStyles {
        levels = Map.copyOf(levels);
    }

    /**
     * The heading level of a style, from 1; empty if it is not a heading. Without a list of styles its name decides.
     */
    Optional<Integer> level(@Nullable String style) {
        if (style == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(levels.get(style)).or(() -> named(style));
    }

    static DocxStyles read(XMLStreamReader xml) throws XMLStreamException {
        var levels = new HashMap<String, Integer>();
        String style = null;
        while (xml.hasNext()) {
            if (xml.next() != XMLStreamReader.START_ELEMENT) {
                continue;
            }
            switch (xml.getLocalName()) {
                case "style" -> style = ArchiveParts.attribute(xml, "styleId");
                case "name" -> put(levels, style, named(ArchiveParts.attribute(xml, "val")));
                case "outlineLvl" -> put(levels, style, DocxBody.outlineLevel(xml));
                default -> {}
            }
        }
        return new DocxStyles(levels);
    }

    private static void put(Map<String, Integer> levels, @Nullable String style, Optional<Integer> level) {
        if (style != null) {
            level.ifPresent(value -> levels.put(style, value));
        }
    }

    private static Optional<Integer> named(@Nullable String name) {
        if (name == null) {
            return Optional.empty();
        }
        var lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("title")) {
            return Optional.of(1);
        }
        var heading = HEADING.matcher(lower);
        return heading.matches() ? Optional.of(Integer.parseInt(heading.group(1))) : Optional.empty();
    }
}
