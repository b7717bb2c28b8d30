package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableBody;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.LinkReferenceDefinition;
import org.commonmark.node.ListBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.ThematicBreak;

/** Converts the blocks of the parser's tree to nodes, without anything that nodes cannot represent. */
final class TreeReader {

    private static final Pattern LANGUAGE = Pattern.compile("([A-Za-z0-9+#_-]{1,30})(?:[ :{,].*)?");

    private static final Pattern TASK = Pattern.compile("\\[[ xX]\\]\\s+");
    private static final String OPEN = "\u2610";
    private static final String DONE = "\u2611";

    private final InlineReader lines;

    /** A reader for one text of so many characters. */
    TreeReader(int written) {
        this.lines = new InlineReader(written);
    }

    List<HtmlNode> blocks(org.commonmark.node.Node parent) {
        List<HtmlNode> blocks = new ArrayList<>();
        for (var child = parent.getFirstChild(); child != null; child = child.getNext()) {
            blocks.addAll(block(child));
        }
        return blocks;
    }

    private List<HtmlNode> block(org.commonmark.node.Node block) {
        return switch (block) {
            case Paragraph paragraph -> paragraph(paragraph);
            case Heading heading -> element(HtmlTag.heading(heading.getLevel()), lines.inside(heading));
            case ThematicBreak ignored -> element(HtmlTag.HR, List.of());
            case BlockQuote quote -> element(HtmlTag.BLOCKQUOTE, blocks(quote));
            case BulletList list -> element(HtmlTag.UL, blocks(list));
            case OrderedList list -> List.of(new HtmlNode.Element(HtmlTag.OL, start(list), blocks(list)));
            case ListItem item -> List.of(task(item(item)));
            case FencedCodeBlock code -> code(code.getLiteral(), language(code.getInfo()));
            case IndentedCodeBlock code -> code(code.getLiteral(), Map.of());
            case TableBlock table -> element(HtmlTag.TABLE, blocks(table));
            case TableHead head -> element(HtmlTag.THEAD, blocks(head));
            case TableBody body -> element(HtmlTag.TBODY, blocks(body));
            case TableRow row -> element(HtmlTag.TR, blocks(row));
            case TableCell cell ->
                List.of(new HtmlNode.Element(
                        cell.isHeader() ? HtmlTag.TH : HtmlTag.TD, alignment(cell), lines.inside(cell)));
            case LinkReferenceDefinition ignored -> List.of();
            default -> throw new IllegalStateException("no block of ours: " + block.getClass());
        };
    }

    private static List<HtmlNode> element(HtmlTag tag, List<HtmlNode> children) {
        return List.of(new HtmlNode.Element(tag, children));
    }

    /** A paragraph of nothing but images is not a line of text: each image stands for itself. */
    private List<HtmlNode> paragraph(Paragraph paragraph) {
        var children = lines.inside(paragraph);
        if (children.isEmpty()) {
            return List.of();
        }
        List<HtmlNode> figures = new ArrayList<>();
        for (HtmlNode child : children) {
            if (child instanceof HtmlNode.Element image && image.tag() == HtmlTag.IMG) {
                figures.addAll(element(HtmlTag.FIGURE, List.of(image)));
            } else if (!blank(child)) {
                return element(HtmlTag.P, children);
            }
        }
        return figures;
    }

    private static boolean blank(HtmlNode node) {
        return switch (node) {
            case HtmlNode.Text text -> text.text().isBlank();
            case HtmlNode.Element element -> element.tag() == HtmlTag.BR;
        };
    }

    /** The items of a tight list hold their first line directly, without the distances of a paragraph. */
    private List<HtmlNode> item(ListItem item) {
        var children = blocks(item);
        if (item.getParent() instanceof ListBlock list
                && list.isTight()
                && !children.isEmpty()
                && children.getFirst() instanceof HtmlNode.Element first
                && first.tag() == HtmlTag.P) {
            List<HtmlNode> tight = new ArrayList<>(first.children());
            tight.addAll(children.subList(1, children.size()));
            return tight;
        }
        return children;
    }

    /** An item that begins with {@code [ ]} or {@code [x]} shows a box instead of its bullet; it is not for clicking. */
    private static HtmlNode.Element task(List<HtmlNode> item) {
        Optional<HtmlNode.Element> paragraph =
                !item.isEmpty() && item.getFirst() instanceof HtmlNode.Element first && first.tag() == HtmlTag.P
                        ? Optional.of(first)
                        : Optional.empty();
        var line = paragraph.map(HtmlNode.Element::children).orElse(item);
        if (line.isEmpty() || !(line.getFirst() instanceof HtmlNode.Text words)) {
            return new HtmlNode.Element(HtmlTag.LI, item);
        }
        var box = TASK.matcher(words.text());
        if (!box.lookingAt()) {
            return new HtmlNode.Element(HtmlTag.LI, item);
        }
        boolean done = !words.text().startsWith("[ ]");
        List<HtmlNode> shown = new ArrayList<>();
        shown.add(new HtmlNode.Text((done ? DONE : OPEN) + " " + words.text().substring(box.end())));
        shown.addAll(line.subList(1, line.size()));
        List<HtmlNode> children = new ArrayList<>(item);
        if (paragraph.isPresent()) {
            children.set(0, paragraph.get().with(shown));
        } else {
            children = shown;
        }
        return new HtmlNode.Element(
                HtmlTag.LI, Map.of(HtmlAttribute.CLASS, done ? "task-done" : "task-open"), children);
    }

    private static List<HtmlNode> code(String literal, Map<HtmlAttribute, String> attributes) {
        var text = Characters.clean(literal.endsWith("\n") ? literal.substring(0, literal.length() - 1) : literal);
        List<HtmlNode> content = text.isEmpty() ? List.of() : List.of(new HtmlNode.Text(text));
        return element(HtmlTag.PRE, List.of(new HtmlNode.Element(HtmlTag.CODE, attributes, content)));
    }

    private static Map<HtmlAttribute, String> language(String info) {
        var language = LANGUAGE.matcher(Optional.ofNullable(info).orElse("").strip());
        return language.matches() ? Map.of(HtmlAttribute.CLASS, "language-" + language.group(1)) : Map.of();
    }

    private static Map<HtmlAttribute, String> start(OrderedList list) {
        Integer start = list.getMarkerStartNumber();
        return start == null || start == 1 ? Map.of() : Map.of(HtmlAttribute.START, start.toString());
    }

    private static Map<HtmlAttribute, String> alignment(TableCell cell) {
        return switch (cell.getAlignment()) {
            case LEFT -> Map.of(HtmlAttribute.CLASS, "align-left");
            case CENTER -> Map.of(HtmlAttribute.CLASS, "align-center");
            case RIGHT -> Map.of(HtmlAttribute.CLASS, "align-right");
            case null -> Map.of();
        };
    }
}
