package io.hiroba.platform.markdown;

import java.util.List;
import java.util.Set;

/** The height of nodes on a page, counted from the finished tree by the rules as they are written down. */
record Measured(String words, int characters, int halfLines) {

    private static final Measured NOTHING = new Measured("", 0, 0);
    private static final Measured IMAGE = new Measured("", 50, 5);
    private static final Set<Tag> BLOCKS =
            Set.of(Tag.P, Tag.H1, Tag.H2, Tag.H3, Tag.H4, Tag.H5, Tag.H6, Tag.HR, Tag.TR, Tag.OMITTED);

    static Measured of(List<Node> nodes) {
        return nodes.stream().map(Measured::of).reduce(NOTHING, Measured::plus);
    }

    private static Measured of(Node node) {
        if (node instanceof Node.Text text) {
            return new Measured(
                    text.text(), text.text().codePointCount(0, text.text().length()), 0);
        }
        var element = (Node.Element) node;
        var inside = of(element.children());
        if (element.tag() == Tag.IMG) {
            return IMAGE;
        } else if (element.tag() == Tag.BR) {
            return inside.higher(2);
        } else if (element.tag() == Tag.PRE) {
            int lines = 1 + (int) inside.words().chars().filter(c -> c == '\n').count();
            return inside.higher(2 * Math.max(lines, 1 + length(inside.words()) / 100));
        } else if (BLOCKS.contains(element.tag())) {
            return inside.higher(2 * (1 + length(inside.words()) / 100));
        } else if (element.tag() == Tag.LI || element.tag() == Tag.BLOCKQUOTE) {
            var line = of(element.children().stream().takeWhile(Node::inline).toList());
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
