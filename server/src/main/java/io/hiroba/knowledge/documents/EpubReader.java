package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads electronic books: their pages in the order in which a reader shows them. */
final class EpubReader {

    static final String MEDIA_TYPE = "application/epub+zip";

    private static final String CONTAINER = "META-INF/container.xml";
    private static final String ENCRYPTION = "META-INF/encryption.xml";
    private static final Pattern PAGE = Pattern.compile("(?i).*\\.(x?html?|xml|opf)");
    /** The ways in which fonts alone are encrypted. */
    private static final Set<String> OF_FONTS =
            Set.of("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC");
    /** The maximum size of a page, which is read into a tree. */
    private static final int MAX_PAGE_SIZE = 5 << 20;

    private final ArchiveParts parts;
    private final TextBudget budget = new TextBudget();
    private final List<Section> sections = new ArrayList<>();
    private int blocks;

    private EpubReader(ArchiveParts parts) {
        this.parts = parts;
    }

    static ParsedDocument read(byte[] archive) {
        try {
            var parts = ArchiveParts.read(archive, name -> PAGE.matcher(name).matches());
            requireReadable(parts);
            var name = rootName(parts.xml(CONTAINER));
            var root = Root.read(parts.xml(name));
            var reader = new EpubReader(parts);
            int chapter = 0;
            for (var href : root.pages()) {
                reader.chapter(ArchiveParts.resolve(name, decoded(href)), ++chapter, root.title());
            }
            return new ParsedDocument(root.title(), reader.sections);
        } catch (IOException | XMLStreamException e) {
            throw ArchiveParts.corrupt();
        }
    }

    private static void requireReadable(ArchiveParts parts) throws XMLStreamException {
        var xml = parts.find(ENCRYPTION).orElse(null);
        while (xml != null && xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("EncryptionMethod")
                    && !OF_FONTS.contains(String.valueOf(ArchiveParts.attribute(xml, "Algorithm")))) {
                throw KnowledgeProblem.unreadable(Text.of("knowledge.unreadable.encrypted"));
            }
        }
    }

    private static String rootName(XMLStreamReader xml) throws XMLStreamException {
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamReader.START_ELEMENT
                    && xml.getLocalName().equals("rootfile")) {
                var path = ArchiveParts.attribute(xml, "full-path");
                if (path != null) {
                    return path;
                }
            }
        }
        throw ArchiveParts.corrupt();
    }

    /** The package document of a book: its title, and its pages in their order, each once. */
    private record Root(@Nullable String title, Set<String> pages) {

        static Root read(XMLStreamReader xml) throws XMLStreamException {
            var files = new HashMap<String, String>();
            var pages = new LinkedHashSet<String>();
            String title = null;
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamReader.START_ELEMENT) {
                    continue;
                }
                switch (xml.getLocalName()) {
                    case "title" -> {
                        var found = ArchiveParts.text(xml).strip();
                        title = title == null && !found.isEmpty() ? found : title;
                    }
                    case "item" -> {
                        var id = ArchiveParts.attribute(xml, "id");
                        var href = ArchiveParts.attribute(xml, "href");
                        if (id != null && href != null) {
                            files.put(id, href);
                        }
                    }
                    case "itemref" -> {
                        var href = files.get(String.valueOf(ArchiveParts.attribute(xml, "idref")));
                        if (href != null) {
                            pages.add(href);
                        }
                    }
                    default -> {}
                }
            }
            return new Root(title, pages);
        }
    }

    private static String decoded(String href) {
        try {
            return URLDecoder.decode(href.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return href;
        }
    }

    private void chapter(String name, int number, @Nullable String book) {
        var content = parts.bytes(name).orElse(null);
        if (content == null) {
            return;
        }
        if (content.length > MAX_PAGE_SIZE) {
            throw ArchiveParts.tooLarge();
        }
        var page = HtmlReader.read(budget.take(TextDecoder.markup(content, null)));
        var title = page.title();
        boolean isNamed = title != null && !title.equals(book) && !isFileName(title);
        for (var section : page.sections()) {
            blocks += 1 + section.blocks().size();
            BlockLimit.check(blocks);
            if (section.path().isEmpty() && section.blocks().isEmpty()) {
                continue;
            }
            var path = section.path().isEmpty() && isNamed && title != null ? List.of(title) : section.path();
            sections.add(new Section(path, number, null, section.blocks(), Section.Numbering.CHAPTER));
        }
    }

    /** Programs that make books put the name of the file where a title should be. */
    private static boolean isFileName(String title) {
        return PAGE.matcher(title.toLowerCase(Locale.ROOT)).matches();
    }
}
