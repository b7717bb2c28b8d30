package io.hiroba.knowledge.documents;

import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.HtmlNode;
import io.hiroba.platform.markdown.HtmlTag;
import io.hiroba.platform.markdown.Markdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads Markdown, with the title of its front matter, which is no text of it. */
final class MarkdownReader {

    /** Front matter. */
    private static final Pattern FRONT = Pattern.compile("\\A---[ \\t]*\\R((?:.*\\R){0,200}?)---[ \\t]*(?:\\R|\\z)");

    private static final Pattern TITLE = Pattern.compile("(?m)^title:[ \\t]*(.{1,300})$");

    private final SectionBuilder outline = new SectionBuilder();

    private MarkdownReader() {}

    static ParsedDocument read(String markdown) {
        // Each line may be a block, and the parser holds all of them in memory.
        BlockLimit.check((int) markdown.chars().filter(c -> c == '\n').count());
        var reader = new MarkdownReader();
        var front = FRONT.matcher(markdown);
        String title = null;
        var body = markdown;
        if (front.find()) {
            title = title(front.group(1));
            body = markdown.substring(front.end());
        }
        Markdown.parse(body).blocks().forEach(reader::block);
        return new ParsedDocument(title == null ? reader.outline.first() : title, reader.outline.sections());
    }

    private static @Nullable String title(String front) {
        var title = TITLE.matcher(front);
        return title.find() ? title.group(1).strip().replaceAll("^([\"'])(.*)\\1$", "$2") : null;
    }

    private void block(HtmlNode node) {
        if (!(node instanceof HtmlNode.Element element)) {
            outline.text(text(node));
            return;
        }
        switch (element.tag()) {
            case H1, H2, H3, H4, H5, H6 -> {
                int level = element.tag().text().charAt(1) - '0';
                outline.heading(level, text(element), null);
            }
            case UL, OL -> outline.add(new Block.Items(items(element, "")));
            case PRE -> outline.add(new Block.Code(text(element)));
            case TABLE -> outline.add(table(element));
            case BLOCKQUOTE -> element.children().forEach(this::block);
            case HR -> {}
            default -> outline.text(text(element));
        }
    }

    private static List<String> items(HtmlNode.Element list, String indent) {
        var items = new ArrayList<String>();
        for (var item : elements(list, HtmlTag.LI)) {
            var own = new ArrayList<HtmlNode>();
            var inner = new ArrayList<String>();
            for (var child : item.children()) {
                if (child instanceof HtmlNode.Element element
                        && (element.tag() == HtmlTag.UL || element.tag() == HtmlTag.OL)) {
                    inner.addAll(items(element, indent + "  "));
                } else {
                    own.add(child);
                }
            }
            items.add(indent + "- " + new Document(own).text().strip());
            items.addAll(inner);
        }
        return items;
    }

    private static Block table(HtmlNode.Element table) {
        var head = elements(table, HtmlTag.THEAD).stream()
                .flatMap(part -> elements(part, HtmlTag.TR).stream())
                .map(MarkdownReader::row)
                .collect(Collectors.joining("\n"));
        var rows = elements(table, HtmlTag.TBODY).stream()
                .flatMap(part -> elements(part, HtmlTag.TR).stream())
                .map(MarkdownReader::row)
                .toList();
        return new Block.Table(head, rows);
    }

    private static String row(HtmlNode.Element row) {
        return row.children().stream()
                .map(cell -> text(cell).replaceAll("\\s+", " ").strip())
                .collect(Collectors.joining(" | "));
    }

    private static List<HtmlNode.Element> elements(HtmlNode.Element parent, HtmlTag tag) {
        return parent.children().stream()
                .flatMap(child -> child instanceof HtmlNode.Element element && element.tag() == tag
                        ? Optional.of(element).stream()
                        : Optional.<HtmlNode.Element>empty().stream())
                .toList();
    }

    private static String text(HtmlNode node) {
        return new Document(List.of(node)).text();
    }
}
