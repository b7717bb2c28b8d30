package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.StorableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/** Extracts the main content of a web page without its boilerplate. */
final class HtmlReader {

    /** Elements that are invisible, repeated on every page of a site, or tell how words are read that stand below them. */
    private static final String BOILERPLATE = "script, style, noscript, template, iframe, object, embed, svg, canvas,"
            + " nav, footer, aside, form, button, select, dialog, [hidden], [aria-hidden=true],"
            + " rt, rp, rtc, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary]";

    /** The main content, the surest selector first. */
    private static final List<String> MAIN = List.of("main", "[role=main]", "article");

    private static final Set<String> BLOCKS = Set.of(
            "address",
            "article",
            "blockquote",
            "body",
            "center",
            "dd",
            "details",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "li",
            "main",
            "ol",
            "p",
            "pre",
            "section",
            "summary",
            "table",
            "ul");

    /** The maximum depth; deeper content is read as one paragraph. */
    private static final int MAX_DEPTH = 200;

    private final SectionBuilder outline = new SectionBuilder();
    private final StringBuilder line = new StringBuilder();

    private HtmlReader() {}

    static ParsedDocument read(String html) {
        return read(Jsoup.parse(html));
    }

    private static ParsedDocument read(Document page) {
        var title = page.title();
        // Emptied, not removed: removing one of many siblings shifts all that follow.
        page.select(BOILERPLATE).forEach(around -> around.empty().clearAttributes());
        var reader = new HtmlReader();
        reader.visit(main(page), 0);
        reader.endLine();
        return new ParsedDocument(
                title.isBlank() ? reader.outline.first() : StorableText.of(title), reader.outline.sections());
    }

    private static Element main(Document page) {
        for (var selector : MAIN) {
            var found = page.select(selector);
            if (found.size() == 1 && found.getFirst().hasText()) {
                return found.getFirst();
            }
        }
        return page.body();
    }

    private void visit(Element parent, int depth) {
        for (Node node : parent.childNodes()) {
            if (node instanceof TextNode text) {
                line.append(text.text());
            } else if (node instanceof Element element) {
                element(element, depth + 1);
            }
        }
    }

    private void element(Element element, int depth) {
        var name = element.normalName();
        if (name.equals("br")) {
            line.append('\n');
        } else if (name.equals("img")) {
            line.append(' ').append(element.attr("alt")).append(' ');
        } else if (!BLOCKS.contains(name)) {
            if (depth > MAX_DEPTH) {
                line.append(' ').append(element.text());
            } else {
                visit(element, depth);
            }
        } else {
            endLine();
            block(element, name, depth);
            endLine();
        }
    }

    private void block(Element element, String name, int depth) {
        switch (name) {
            case "h1", "h2", "h3", "h4", "h5", "h6" ->
                outline.heading(name.charAt(1) - '0', clean(element.text()), anchor(element));
            case "pre" -> outline.add(new Block.Code(clean(element.wholeText()).stripTrailing()));
            case "table" -> table(element, depth);
            case "ul", "ol" -> outline.add(new Block.Items(items(element, "", depth)));
            default -> {
                if (depth > MAX_DEPTH) {
                    line.append(element.text());
                } else {
                    visit(element, depth);
                }
            }
        }
    }

    /** The id of the heading or of its section, for the URL's fragment. */
    private static @Nullable String anchor(Element heading) {
        if (!heading.id().isEmpty()) {
            return heading.id();
        }
        var inner = heading.selectFirst("[id]");
        if (inner != null) {
            return inner.id();
        }
        var around = heading.parent();
        return around != null
                        && around.normalName().equals("section")
                        && !around.id().isEmpty()
                ? around.id()
                : null;
    }

    private void table(Element table, int depth) {
        if (table.selectFirst("h1, h2, h3, h4, p, table table, ul") != null && table.selectFirst("th") == null) {
            // A layout table.
            table.select("td").stream()
                    .filter(cell -> Objects.equals(cell.closest("table"), table))
                    .forEach(cell -> {
                        endLine();
                        if (depth > MAX_DEPTH) {
                            line.append(cell.text());
                        } else {
                            visit(cell, depth + 1);
                        }
                    });
            return;
        }
        var rows = table.select("tr");
        var head = "";
        var body = new ArrayList<String>();
        for (var row : rows) {
            if (!Objects.equals(row.closest("table"), table)) {
                // A row of a nested table: its text belongs to the cell.
                continue;
            }
            var cells = row.children().stream().map(cell -> clean(cell.text())).collect(Collectors.joining(" | "));
            boolean names = !row.children().isEmpty()
                    && row.children().stream()
                            .allMatch(cell -> cell.normalName().equals("th"));
            if (names && body.isEmpty()) {
                head = head.isEmpty() ? cells : head + "\n" + cells;
            } else if (!cells.isBlank()) {
                body.add(cells);
            }
        }
        var caption = table.selectFirst("caption");
        if (caption != null) {
            outline.text(clean(caption.text()));
        }
        outline.add(new Block.Table(head, body));
    }

    private static List<String> items(Element list, String indent, int depth) {
        var items = new ArrayList<String>();
        for (var item : list.children()) {
            if (depth > MAX_DEPTH) {
                items.add(indent + "- " + clean(item.text()));
                continue;
            }
            var own = item.clone();
            own.select("ul, ol").forEach(Element::empty);
            if (own.hasText()) {
                items.add(indent + "- " + clean(own.text()));
            }
            item.select("ul, ol").stream()
                    .filter(inner -> Objects.equals(inner.parent(), item))
                    .forEach(inner -> items.addAll(items(inner, indent + "  ", depth + 10)));
        }
        return items;
    }

    private void endLine() {
        var text = line.toString();
        line.setLength(0);
        outline.text(clean(text)
                .lines()
                .map(part -> part.strip().replaceAll("[ \\t]+", " "))
                .collect(Collectors.joining("\n")));
    }

    private static String clean(String text) {
        return StorableText.of(text);
    }
}
