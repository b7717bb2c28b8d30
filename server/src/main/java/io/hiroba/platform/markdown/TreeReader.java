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

/** Reads the blocks of the parser's tree into our own, leaving behind everything that ours cannot hold. */
final class TreeReader {

    private static final Pattern LANGUAGE = Pattern.compile("([A-Za-z0-9+#_-]{1,30})(?:[ :{,].*)?");

    private final LineReader lines;

    /** A reader for one text of so many characters. */
    TreeReader(int written) {
        this.lines = new LineReader(written);
    }

    List<Node> blocks(org.commonmark.node.Node parent) {
        List<Node> blocks = new ArrayList<>();
        for (var child = parent.getFirstChild(); child != null; child = child.getNext()) {
            blocks.addAll(block(child));
        }
        return blocks;
    }

    private List<Node> block(org.commonmark.node.Node block) {
        return switch (block) {
            case Paragraph paragraph -> paragraph(paragraph);
            case Heading heading -> element(Tag.heading(heading.getLevel()), lines.inside(heading));
            case ThematicBreak ignored -> element(Tag.HR, List.of());
            case BlockQuote quote -> element(Tag.BLOCKQUOTE, blocks(quote));
            case BulletList list -> element(Tag.UL, blocks(list));
            case OrderedList list -> List.of(new Node.Element(Tag.OL, start(list), blocks(list)));
            case ListItem item -> element(Tag.LI, item(item));
            case FencedCodeBlock code -> code(code.getLiteral(), language(code.getInfo()));
            case IndentedCodeBlock code -> code(code.getLiteral(), Map.of());
            case TableBlock table -> element(Tag.TABLE, blocks(table));
            case TableHead head -> element(Tag.THEAD, blocks(head));
            case TableBody body -> element(Tag.TBODY, blocks(body));
            case TableRow row -> element(Tag.TR, blocks(row));
            case TableCell cell ->
                List.of(new Node.Element(cell.isHeader() ? Tag.TH : Tag.TD, alignment(cell), lines.inside(cell)));
            case LinkReferenceDefinition ignored -> List.of();
            default -> throw new IllegalStateException("no block of ours: " + block.getClass());
        };
    }

    private static List<Node> element(Tag tag, List<Node> children) {
        return List.of(new Node.Element(tag, children));
    }

    /** A paragraph of nothing but images is not a line of text: each image stands for itself. */
    private List<Node> paragraph(Paragraph paragraph) {
        var children = lines.inside(paragraph);
        if (children.isEmpty()) {
            return List.of();
        }
        List<Node> figures = new ArrayList<>();
        for (Node child : children) {
            if (child instanceof Node.Element image && image.tag() == Tag.IMG) {
                figures.addAll(element(Tag.FIGURE, List.of(image)));
            } else if (!blank(child)) {
                return element(Tag.P, children);
            }
        }
        return figures;
    }

    private static boolean blank(Node node) {
        return switch (node) {
            case Node.Text text -> text.text().isBlank();
            case Node.Element element -> element.tag() == Tag.BR;
        };
    }

    /** The items of a tight list hold their first line directly, without the distances of a paragraph. */
    private List<Node> item(ListItem item) {
        var children = blocks(item);
        if (item.getParent() instanceof ListBlock list
                && list.isTight()
                && !children.isEmpty()
                && children.getFirst() instanceof Node.Element first
                && first.tag() == Tag.P) {
            List<Node> tight = new ArrayList<>(first.children());
            tight.addAll(children.subList(1, children.size()));
            return tight;
        }
        return children;
    }

    private static List<Node> code(String literal, Map<Attribute, String> attributes) {
        var text = Characters.clean(literal.endsWith("\n") ? literal.substring(0, literal.length() - 1) : literal);
        List<Node> content = text.isEmpty() ? List.of() : List.of(new Node.Text(text));
        return element(Tag.PRE, List.of(new Node.Element(Tag.CODE, attributes, content)));
    }

    private static Map<Attribute, String> language(String info) {
        var language = LANGUAGE.matcher(Optional.ofNullable(info).orElse("").strip());
        return language.matches() ? Map.of(Attribute.CLASS, "language-" + language.group(1)) : Map.of();
    }

    private static Map<Attribute, String> start(OrderedList list) {
        Integer start = list.getMarkerStartNumber();
        return start == null || start == 1 ? Map.of() : Map.of(Attribute.START, start.toString());
    }

    private static Map<Attribute, String> alignment(TableCell cell) {
        return switch (cell.getAlignment()) {
            case LEFT -> Map.of(Attribute.CLASS, "align-left");
            case CENTER -> Map.of(Attribute.CLASS, "align-center");
            case RIGHT -> Map.of(Attribute.CLASS, "align-right");
            case null -> Map.of();
        };
    }
}
