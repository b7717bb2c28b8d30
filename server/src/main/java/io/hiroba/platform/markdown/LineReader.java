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

/** Reads what stands in the lines of one text: words, emphasis, links, images. */
final class LineReader {

    // One long address named once can be used by thousands of short references. What all links of a text may hold
    // together is bound to what was written, and links beyond that lead nowhere.
    private int addressesLeft;
    private boolean insideLink;

    LineReader(int written) {
        this.addressesLeft = 2 * written + Destination.MAX_LENGTH;
    }

    List<Node> inside(org.commonmark.node.Node parent) {
        List<Node> nodes = new ArrayList<>();
        var pending = new StringBuilder();
        int skip = 0;
        for (var child = parent.getFirstChild(); child != null; child = child.getNext()) {
            switch (child) {
                case Text text ->
                    pending.append(text.getLiteral(), skip, text.getLiteral().length());
                case SoftLineBreak ignored -> pending.append('\n');
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

    private Node.Element element(org.commonmark.node.Node node) {
        return switch (node) {
            case Emphasis emphasis -> new Node.Element(Tag.EM, inside(emphasis));
            case StrongEmphasis strong -> new Node.Element(Tag.STRONG, inside(strong));
            case Strikethrough struck -> new Node.Element(Tag.DEL, inside(struck));
            case HardLineBreak ignored -> new Node.Element(Tag.BR, List.of());
            case Code code -> new Node.Element(Tag.CODE, text(code.getLiteral()));
            case Link link -> link(link);
            default -> throw new IllegalStateException("no inline node of ours: " + node.getClass());
        };
    }

    /** A link inside a link, which an automatic one can be, is only words: browsers would end the outer one there. */
    private Node.Element link(Link link) {
        var address = affordable(link.getDestination()).flatMap(Destination::linkFrom);
        insideLink = true;
        var children = inside(link);
        insideLink = false;
        return new Node.Element(
                Tag.A, address.map(url -> Map.of(Attribute.HREF, url)).orElse(Map.of()), children);
    }

    /** Without an address that may be loaded there is no image, and its description is shown instead. */
    private Optional<Node> image(Image image, Optional<ImageMark> mark) {
        return affordable(image.getDestination())
                .flatMap(Destination::imageFrom)
                .map(source -> {
                    var attributes = new EnumMap<Attribute, String>(Attribute.class);
                    attributes.put(Attribute.SRC, source);
                    attributes.put(Attribute.ALT, description(image));
                    mark.ifPresent(written -> attributes.put(Attribute.CLASS, written.classes()));
                    return new Node.Element(Tag.IMG, attributes, List.of());
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

    private static void flush(StringBuilder pending, List<Node> nodes) {
        nodes.addAll(text(pending.toString()));
        pending.setLength(0);
    }

    private static List<Node> text(String literal) {
        var clean = Characters.clean(literal);
        return clean.isEmpty() ? List.of() : List.of(new Node.Text(clean));
    }
}
