package io.hiroba.knowledge.reading;

import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.markdown.Node;
import io.hiroba.platform.markdown.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads Markdown. */
final class MarkdownReader {

    /** Settings in front of the text, as many programs write them. */
    private static final Pattern FRONT = Pattern.compile("\\A---[ \\t]*\\R((?:.*\\R){0,200}?)---[ \\t]*(?:\\R|\\z)");

    private static final Pattern TITLE = Pattern.compile("(?m)^title:[ \\t]*(.{1,300})$");

    private final Outline outline = new Outline();

    private MarkdownReader() {}

    static Reading read(String markdown) {
        // Each line may be a block, and all of them are there before the first is looked at.
        Pieces.check((int) markdown.chars().filter(c -> c == '\n').count());
        var reader = new MarkdownReader();
        var front = FRONT.matcher(markdown);
        String title = null;
        var body = markdown;
        if (front.find()) {
            title = title(front.group(1));
            reader.outline.add(new Block.Code(front.group(1).stripTrailing()));
            body = markdown.substring(front.end());
        }
        Markdown.parse(body).blocks().forEach(reader::block);
        return new Reading(title == null ? reader.outline.first() : title, reader.outline.sections());
    }

    private static @Nullable String title(String front) {
        var title = TITLE.matcher(front);
        return title.find() ? title.group(1).strip().replaceAll("^([\"'])(.*)\\1$", "$2") : null;
    }

    private void block(Node node) {
        if (!(node instanceof Node.Element element)) {
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

    private static List<String> items(Node.Element list, String indent) {
        var items = new ArrayList<String>();
        for (var item : elements(list, Tag.LI)) {
            var own = new ArrayList<Node>();
            var inner = new ArrayList<String>();
            for (var child : item.children()) {
                if (child instanceof Node.Element element && (element.tag() == Tag.UL || element.tag() == Tag.OL)) {
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

    private static Block table(Node.Element table) {
        var head = elements(table, Tag.THEAD).stream()
                .flatMap(part -> elements(part, Tag.TR).stream())
                .map(MarkdownReader::row)
                .collect(Collectors.joining("\n"));
        var rows = elements(table, Tag.TBODY).stream()
                .flatMap(part -> elements(part, Tag.TR).stream())
                .map(MarkdownReader::row)
                .toList();
        return new Block.Table(head, rows);
    }

    private static String row(Node.Element row) {
        return row.children().stream()
                .map(cell -> text(cell).replaceAll("\\s+", " ").strip())
                .collect(Collectors.joining(" | "));
    }

    private static List<Node.Element> elements(Node.Element parent, Tag tag) {
        return parent.children().stream()
                .flatMap(child -> child instanceof Node.Element element && element.tag() == tag
                        ? Optional.of(element).stream()
                        : Optional.<Node.Element>empty().stream())
                .toList();
    }

    private static String text(Node node) {
        return new Document(List.of(node)).text();
    }
}
