package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies blocks for as long as a budget lasts. What encloses the place of the cut stays, so the copy is as well formed
 * as the text.
 */
final class SnippetCutter {

    private static final String ELLIPSIS = "…";
    private static final int MAX_DESCRIPTION = 100;

    private final SnippetBudget budget;
    private boolean cut;
    private boolean marked;

    private SnippetCutter(SnippetBudget budget) {
        this.budget = budget;
    }

    static List<Node> cut(List<Node> blocks) {
        var whole = new SnippetCutter(SnippetBudget.whole());
        var everything = whole.copy(blocks, new BlockHeight(false));
        if (!whole.cut) {
            return everything;
        }
        var mark = new Node.Element(Tag.OMITTED, List.of(new Node.Text(ELLIPSIS)));
        var part = new SnippetCutter(SnippetBudget.withRoomForTheMark(mark));
        var nodes = part.copy(blocks, new BlockHeight(false));
        // A text that was cut carries the "…" itself; between two blocks there is none to carry it.
        nodes.add(part.marked ? mark.with(List.of()) : mark);
        return nodes;
    }

    private List<Node> copy(List<Node> nodes, BlockHeight block) {
        List<Node> copies = new ArrayList<>();
        for (Node node : nodes) {
            var copy = switch (node) {
                case Node.Text text -> text(text.text(), block);
                case Node.Element element -> element(element, block);
            };
            copy.ifPresent(copies::add);
            if (cut) {
                break;
            }
        }
        return copies;
    }

    private Optional<Node> element(Node.Element element, BlockHeight block) {
        var kept = shortened(element);
        if (!budget.lines(ownLines(element))
                || !budget.weight(SnippetJson.weight(kept))
                || (element.tag() == Tag.IMG && !(image(kept) && budget.image()))) {
            cut = true;
            return Optional.empty();
        }
        var children = copy(kept.children(), height(kept, block));
        // What was cut before its first word has nothing to show; what the author left empty is kept so.
        return children.isEmpty() && !kept.children().isEmpty() ? Optional.empty() : Optional.of(kept.with(children));
    }

    private static BlockHeight height(Node.Element element, BlockHeight around) {
        boolean sameLine = element.inline() || element.tag() == Tag.TD || element.tag() == Tag.TH;
        return sameLine ? around : new BlockHeight(element.tag() == Tag.PRE);
    }

    /** The lines that an element takes before its first character. Only what holds words directly has one. */
    private static int ownLines(Node.Element element) {
        return switch (element.tag()) {
            case P, H1, H2, H3, H4, H5, H6, PRE, HR, TR, BR, OMITTED -> 1;
            case LI, BLOCKQUOTE ->
                element.children().isEmpty() || element.children().getFirst().inline() ? 1 : 0;
            case UL, OL, FIGURE, TABLE, THEAD, TBODY, TH, TD, EM, STRONG, DEL, CODE, A, IMG -> 0;
        };
    }

    /** The element without an address there is no room for and with a description of a sane length. */
    private Node.Element shortened(Node.Element element) {
        var href = element.attributes().get(Attribute.HREF);
        if (href != null && !budget.address(href.length())) {
            return element.without(Attribute.HREF);
        }
        var description = element.attributes().get(Attribute.ALT);
        if (description != null) {
            return element.with(Map.of(Attribute.ALT, Characters.atMost(description, MAX_DESCRIPTION)));
        }
        return element;
    }

    private boolean image(Node.Element image) {
        return budget.address(image.attributes().getOrDefault(Attribute.SRC, "").length());
    }

    private Optional<Node> text(String text, BlockHeight block) {
        if (!budget.weight(SnippetJson.emptyTextWeight() + 1)) {
            cut = true;
            return Optional.empty();
        }
        int end = 0;
        int endWithEllipsis = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            if (!budget.character(character, block.addedBy(character))) {
                return cutText(text, endWithEllipsis);
            }
            block.add(character);
            end += Character.charCount(character);
            if (budget.fitsLines(block.addedBy('…'))) {
                endWithEllipsis = end;
            }
        }
        return Optional.of(new Node.Text(text));
    }

    private Optional<Node> cutText(String text, int end) {
        cut = true;
        var kept = text.substring(0, Characters.boundaryAtOrBefore(text, end)).stripTrailing();
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        marked = true;
        return Optional.of(new Node.Text(kept + ELLIPSIS));
    }
}
