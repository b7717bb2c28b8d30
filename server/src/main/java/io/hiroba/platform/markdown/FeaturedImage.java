package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The image that its author marked with {@code {featured}}, which opens the snippet wherever it stands in the text.
 * Of several the first one counts; an image without the mark stays where it is.
 */
final class FeaturedImage {

    private Node.@Nullable Element found;

    private FeaturedImage() {}

    /** The blocks with the featured image, if there is one, taken from its place and put before everything else. */
    static List<Node> first(List<Node> blocks) {
        var search = new FeaturedImage();
        var others = search.without(blocks);
        if (search.found == null) {
            return blocks;
        }
        List<Node> reordered = new ArrayList<>();
        reordered.add(new Node.Element(Tag.FIGURE, List.of(search.found)));
        reordered.addAll(others);
        return reordered;
    }

    private List<Node> without(List<Node> nodes) {
        List<Node> kept = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            if (found != null || !(node instanceof Node.Element element)) {
                kept.add(node);
            } else if (featured(element)) {
                found = element;
            } else {
                var children = without(element.children());
                if (found == null) {
                    kept.add(element);
                } else if (!children.isEmpty() || element.tag() == Tag.TD || element.tag() == Tag.TH) {
                    kept.add(element.with(children));
                }
            }
        }
        return kept;
    }

    private static boolean featured(Node.Element element) {
        return element.tag() == Tag.IMG
                && element.attributes().getOrDefault(Attribute.CLASS, "").startsWith(ImageMark.FEATURED);
    }
}
