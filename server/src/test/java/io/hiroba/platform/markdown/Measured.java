package io.hiroba.platform.markdown;

import java.util.List;
import java.util.Set;

/** The height of nodes on a page, counted from the finished tree by the rules as they are written down. */
record Measured(String words, int characters, int halfLines) {

    private static final Measured NOTHING = new Measured("", 0, 0);
    private static final Measured IMAGE = new Measured("", 50, 5);
    private static final Set<HtmlTag> BLOCKS = Set.of(
            HtmlTag.P,
            HtmlTag.H1,
            HtmlTag.H2,
            HtmlTag.H3,
            HtmlTag.H4,
            HtmlTag.H5,
            HtmlTag.H6,
            HtmlTag.HR,
            HtmlTag.TR,
            HtmlTag.OMITTED);

    static Measured of(List<HtmlNode> nodes) {
        return nodes.stream().map(Measured::of).reduce(NOTHING, Measured::plus);
    }

    private static Measured of(HtmlNode node) {
        if (node instanceof HtmlNode.Text text) {
            return new Measured(
                    text.text(), text.text().codePointCount(0, text.text().length()), 0);
        }
        var element = (HtmlNode.Element) node;
        var inside = of(element.children());
        if (element.tag() == HtmlTag.IMG) {
            return IMAGE;
        } else if (element.tag() == HtmlTag.BR) {
            return inside.higher(2);
        } else if (element.tag() == HtmlTag.PRE) {
            int lines = 1 + (int) inside.words().chars().filter(c -> c == '\n').count();
            return inside.higher(2 * Math.max(lines, 1 + length(inside.words()) / 100));
        } else if (BLOCKS.contains(element.tag())) {
            return inside.higher(2 * (1 + length(inside.words()) / 100));
        } else if (element.tag() == HtmlTag.LI || element.tag() == HtmlTag.BLOCKQUOTE) {
            var line =
                    of(element.children().stream().takeWhile(HtmlNode::inline).toList());
            boolean holdsWords = element.children().isEmpty()
                    || element.children().getFirst().inline();
            return holdsWords ? inside.higher(2 * (1 + length(line.words()) / 100)) : inside;
        }
        return inside;
    }

    private Measured plus(Measured other) {
        return new Measured(words + other.words, characters + other.characters, halfLines + other.halfLines);
    }

    private Measured higher(int more) {
        return new Measured(words, characters, halfLines + more);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
