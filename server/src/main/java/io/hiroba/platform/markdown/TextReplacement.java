package io.hiroba.platform.markdown;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Puts other nodes in the place of plain characters. */
final class TextReplacement {

    private static final Set<Tag> LEFT_ALONE = EnumSet.of(Tag.A, Tag.CODE, Tag.PRE);

    private TextReplacement() {}

    static List<Node> in(List<Node> nodes, Function<Node.Text, List<Node>> others) {
        return nodes.stream().flatMap(node -> in(node, others)).toList();
    }

    private static Stream<Node> in(Node node, Function<Node.Text, List<Node>> others) {
        return switch (node) {
            case Node.Text text -> others.apply(text).stream();
            case Node.Element element ->
                Stream.of(LEFT_ALONE.contains(element.tag()) ? element : element.with(in(element.children(), others)));
        };
    }
}
