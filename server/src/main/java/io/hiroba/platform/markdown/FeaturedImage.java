package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The image that its author marked with {@code {featured}}, which comes first in the snippet wherever it is in the
 * text. Of several the first one counts; an image without the mark stays in its place.
 */
final class FeaturedImage {

    private HtmlNode.@Nullable Element found;

    private FeaturedImage() {}

    /** The blocks with the featured image, if there is one, moved to the front. */
    static List<HtmlNode> first(List<HtmlNode> blocks) {
        var search = new FeaturedImage();
        var others = search.without(blocks);
        if (search.found == null) {
            return blocks;
        }
        List<HtmlNode> reordered = new ArrayList<>();
        reordered.add(new HtmlNode.Element(HtmlTag.FIGURE, List.of(search.found)));
        reordered.addAll(others);
        return reordered;
    }

    private List<HtmlNode> without(List<HtmlNode> nodes) {
        List<HtmlNode> kept = new ArrayList<>(nodes.size());
        for (HtmlNode node : nodes) {
            if (found != null || !(node instanceof HtmlNode.Element element)) {
                kept.add(node);
            } else if (featured(element)) {
                found = element;
            } else {
                var children = without(element.children());
                if (found == null) {
                    kept.add(element);
                } else if (!children.isEmpty() || element.tag() == HtmlTag.TD || element.tag() == HtmlTag.TH) {
                    kept.add(element.with(children));
                }
            }
        }
        return kept;
    }

    private static boolean featured(HtmlNode.Element element) {
        return element.tag() == HtmlTag.IMG
                && element.attributes().getOrDefault(HtmlAttribute.CLASS, "").startsWith(ImageMark.FEATURED);
    }
}
