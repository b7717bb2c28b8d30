package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies blocks until a budget is used up. The elements around the cut are kept, so the copy is well-formed. The first image
 * follows the words where none is among them: a list shows that there is one however far down it is.
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

    static List<HtmlNode> cut(List<HtmlNode> blocks) {
        var whole = new SnippetCutter(SnippetBudget.whole());
        var everything = whole.copy(blocks, new BlockHeight(false));
        if (!whole.cut) {
            return everything;
        }
        var mark = new HtmlNode.Element(HtmlTag.OMITTED, List.of(new HtmlNode.Text(ELLIPSIS)));
        var part = new SnippetCutter(SnippetBudget.withRoomForTheMark(mark));
        var nodes = part.copy(blocks, new BlockHeight(false));
        var image = firstImage(nodes).isPresent() ? Optional.<HtmlNode.Element>empty() : firstImage(blocks);
        if (image.isPresent()) {
            var withImage = new SnippetCutter(SnippetBudget.withRoomForTheMark(mark));
            var figure = withImage.element(
                    new HtmlNode.Element(HtmlTag.FIGURE, List.of(image.get())), new BlockHeight(false));
            if (figure.isPresent()) {
                part = withImage;
                nodes = part.copy(blocks, new BlockHeight(false));
                nodes.add(figure.get());
            }
        }
        // A text that was cut carries the "…" itself; between two blocks there is none to carry it.
        nodes.add(part.marked ? mark.with(List.of()) : mark);
        return nodes;
    }

    /** The first image of the nodes, at any depth. */
    private static Optional<HtmlNode.Element> firstImage(List<HtmlNode> nodes) {
        for (var node : nodes) {
            if (node instanceof HtmlNode.Element element) {
                var found = element.tag() == HtmlTag.IMG ? Optional.of(element) : firstImage(element.children());
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private List<HtmlNode> copy(List<HtmlNode> nodes, BlockHeight block) {
        List<HtmlNode> copies = new ArrayList<>();
        for (HtmlNode node : nodes) {
            var copy = switch (node) {
                case HtmlNode.Text text -> text(text.text(), block);
                case HtmlNode.Element element -> element(element, block);
            };
            copy.ifPresent(copies::add);
            if (cut) {
                break;
            }
        }
        return copies;
    }

    private Optional<HtmlNode> element(HtmlNode.Element element, BlockHeight block) {
        var kept = shortened(element);
        if (!budget.lines(ownLines(element))
                || !budget.weight(SnippetJson.weight(kept))
                || (element.tag() == HtmlTag.IMG && !(image(kept) && budget.image()))) {
            cut = true;
            return Optional.empty();
        }
        var children = copy(kept.children(), height(kept, block));
        // An element that was cut before its first word is dropped; one that the author left empty is not.
        return children.isEmpty() && !kept.children().isEmpty() ? Optional.empty() : Optional.of(kept.with(children));
    }

    private static BlockHeight height(HtmlNode.Element element, BlockHeight around) {
        boolean sameLine = element.inline() || element.tag() == HtmlTag.TD || element.tag() == HtmlTag.TH;
        return sameLine ? around : new BlockHeight(element.tag() == HtmlTag.PRE);
    }

    /** The lines that an element takes before its first character. Only what holds words directly has one. */
    private static int ownLines(HtmlNode.Element element) {
        return switch (element.tag()) {
            case P, H1, H2, H3, H4, H5, H6, PRE, HR, TR, BR, OMITTED -> 1;
            case LI, BLOCKQUOTE ->
                element.children().isEmpty() || element.children().getFirst().inline() ? 1 : 0;
            case UL, OL, FIGURE, TABLE, THEAD, TBODY, TH, TD, EM, STRONG, DEL, CODE, A, IMG -> 0;
        };
    }

    /** The element without an address there is no room for and with a description of a sane length. */
    private HtmlNode.Element shortened(HtmlNode.Element element) {
        var href = element.attributes().get(HtmlAttribute.HREF);
        if (href != null && !budget.address(href.length())) {
            return element.without(HtmlAttribute.HREF);
        }
        var description = element.attributes().get(HtmlAttribute.ALT);
        if (description != null) {
            return element.with(Map.of(HtmlAttribute.ALT, Characters.atMost(description, MAX_DESCRIPTION)));
        }
        return element;
    }

    private boolean image(HtmlNode.Element image) {
        return budget.address(
                image.attributes().getOrDefault(HtmlAttribute.SRC, "").length());
    }

    private Optional<HtmlNode> text(String text, BlockHeight block) {
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
        return Optional.of(new HtmlNode.Text(text));
    }

    private Optional<HtmlNode> cutText(String text, int end) {
        cut = true;
        var kept = text.substring(0, Characters.boundaryAtOrBefore(text, end)).stripTrailing();
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        marked = true;
        return Optional.of(new HtmlNode.Text(kept + ELLIPSIS));
    }
}
