package io.hiroba.platform.markdown;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Replaces plain characters by other nodes. */
final class TextReplacement {

    private static final Set<HtmlTag> LEFT_ALONE = EnumSet.of(HtmlTag.A, HtmlTag.CODE, HtmlTag.PRE);

    private TextReplacement() {}

    static List<HtmlNode> in(List<HtmlNode> nodes, Function<HtmlNode.Text, List<HtmlNode>> others) {
        return nodes.stream().flatMap(node -> in(node, others)).toList();
    }

    private static Stream<HtmlNode> in(HtmlNode node, Function<HtmlNode.Text, List<HtmlNode>> others) {
        return switch (node) {
            case HtmlNode.Text text -> others.apply(text).stream();
            case HtmlNode.Element element ->
                Stream.of(LEFT_ALONE.contains(element.tag()) ? element : element.with(in(element.children(), others)));
        };
    }
}
