package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.commonmark.ext.gfm.strikethrough.Strikethrough;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;

/** Reads the inline content of blocks: words, emphasis, links, images. */
final class InlineReader {

    // One long address can be used by thousands of short references. The total length of all links is bounded by that
    // of the text, and links beyond it are dropped.
    private int addressesLeft;
    private boolean insideLink;

    InlineReader(int written) {
        this.addressesLeft = 2 * written + Destination.MAX_LENGTH;
    }

    List<HtmlNode> inside(org.commonmark.node.Node parent) {
        List<HtmlNode> nodes = new ArrayList<>();
        var pending = new StringBuilder();
        int skip = 0;
        for (var child = parent.getFirstChild(); child != null; child = child.getNext()) {
            switch (child) {
                case Text text ->
                    pending.append(text.getLiteral(), skip, text.getLiteral().length());
                case SoftLineBreak ignored -> pending.append('\n');
                case EscapedSign sign -> {
                    // Characters of its own, so that no name begins with it.
                    flush(pending, nodes);
                    nodes.add(new HtmlNode.Text(sign.literal()));
                }
                case Image image -> {
                    var mark = image.getNext() instanceof Text next
                            ? ImageMark.at(next.getLiteral())
                            : Optional.<ImageMark>empty();
                    var read = image(image, mark);
                    if (read.isPresent()) {
                        flush(pending, nodes);
                        nodes.add(read.get());
                    } else {
                        pending.append(description(image));
                    }
                    skip = mark.map(ImageMark::length).orElse(0);
                    continue;
                }
                default -> {
                    if (insideLink && child instanceof Link link) {
                        flush(pending, nodes);
                        nodes.addAll(inside(link));
                        break;
                    }
                    var read = element(child);
                    if (read.tag().empty() || !read.children().isEmpty()) {
                        flush(pending, nodes);
                        nodes.add(read);
                    }
                }
            }
            skip = 0;
        }
        flush(pending, nodes);
        return nodes;
    }

    private HtmlNode.Element element(org.commonmark.node.Node node) {
        return switch (node) {
            case Emphasis emphasis -> new HtmlNode.Element(HtmlTag.EM, inside(emphasis));
            case StrongEmphasis strong -> new HtmlNode.Element(HtmlTag.STRONG, inside(strong));
            case Strikethrough struck -> new HtmlNode.Element(HtmlTag.DEL, inside(struck));
            case HardLineBreak ignored -> new HtmlNode.Element(HtmlTag.BR, List.of());
            case Code code -> new HtmlNode.Element(HtmlTag.CODE, text(code.getLiteral()));
            case Link link -> link(link);
            default -> throw new IllegalStateException("no inline node of ours: " + node.getClass());
        };
    }

    /** A link inside a link, such as an automatic one, becomes text: browsers would end the outer one there. */
    private HtmlNode.Element link(Link link) {
        var address = affordable(link.getDestination()).flatMap(Destination::linkFrom);
        insideLink = true;
        var children = inside(link);
        insideLink = false;
        return new HtmlNode.Element(
                HtmlTag.A, address.map(url -> Map.of(HtmlAttribute.HREF, url)).orElse(Map.of()), children);
    }

    /**
     * An image of this site. One of another is a link: browsers are told to load none, which would tell that site who reads. Without
     * an address that may be loaded its description is shown instead.
     */
    private Optional<HtmlNode> image(Image image, Optional<ImageMark> mark) {
        var source = affordable(image.getDestination()).flatMap(Destination::imageFrom);
        if (source.filter(address -> !address.startsWith("/")).isPresent()) {
            return source.filter(_ -> !insideLink).map(address -> {
                var words = description(image);
                return new HtmlNode.Element(
                        HtmlTag.A, Map.of(HtmlAttribute.HREF, address), text(words.isBlank() ? address : words));
            });
        }
        return source.map(address -> {
            var attributes = new EnumMap<HtmlAttribute, String>(HtmlAttribute.class);
            attributes.put(HtmlAttribute.SRC, address);
            attributes.put(HtmlAttribute.ALT, description(image));
            mark.ifPresent(written -> attributes.put(HtmlAttribute.CLASS, written.classes()));
            return new HtmlNode.Element(HtmlTag.IMG, attributes, List.of());
        });
    }

    private String description(Image image) {
        return TextWriter.text(inside(image));
    }

    private Optional<String> affordable(String destination) {
        if (destination.length() > addressesLeft) {
            return Optional.empty();
        }
        addressesLeft -= destination.length();
        return Optional.of(destination);
    }

    private static void flush(StringBuilder pending, List<HtmlNode> nodes) {
        nodes.addAll(text(pending.toString()));
        pending.setLength(0);
    }

    private static List<HtmlNode> text(String literal) {
        var clean = Characters.clean(literal);
        return clean.isEmpty() ? List.of() : List.of(new HtmlNode.Text(clean));
    }
}
