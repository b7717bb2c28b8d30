package io.hiroba.platform.markdown;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A node of a document: an element with its children, or characters. */
public sealed interface HtmlNode {

    /** Plain characters; markup in them is escaped. */
    record Text(String text) implements HtmlNode {}

    /**
     * An element. Its constructor refuses attributes that the tag does not take and values that the attribute does not accept,
     * so what is read from storage is as safe as what was written.
     */
    record Element(HtmlTag tag, Map<HtmlAttribute, String> attributes, List<HtmlNode> children) implements HtmlNode {

        public Element {
            for (var entry : attributes.entrySet()) {
                if (!tag.takes(entry.getKey()) || !entry.getKey().accepts(entry.getValue())) {
                    throw new IllegalArgumentException("<%s> does not take this %s"
                            .formatted(tag.text(), entry.getKey().text()));
                }
            }
            if (tag.empty() && !children.isEmpty()) {
                throw new IllegalArgumentException("<%s> encloses nothing".formatted(tag.text()));
            }
            // An enum map keeps one order, so that the same text is always the same HTML and the same stored form.
            var ordered = new EnumMap<HtmlAttribute, String>(HtmlAttribute.class);
            ordered.putAll(attributes);
            attributes = Collections.unmodifiableMap(ordered);
            children = List.copyOf(children);
        }

        Element(HtmlTag tag, List<HtmlNode> children) {
            this(tag, Map.of(), children);
        }

        Element with(List<HtmlNode> others) {
            return new Element(tag, attributes, others);
        }

        /** The same element with these attributes instead of its own of the same name. */
        Element with(Map<HtmlAttribute, String> others) {
            var changed = new EnumMap<HtmlAttribute, String>(HtmlAttribute.class);
            changed.putAll(attributes);
            changed.putAll(others);
            return new Element(tag, changed, children);
        }

        Element without(HtmlAttribute attribute) {
            var fewer = new EnumMap<HtmlAttribute, String>(HtmlAttribute.class);
            fewer.putAll(attributes);
            fewer.remove(attribute);
            return new Element(tag, fewer, children);
        }
    }

    /** Whether the node is inline, not a block. */
    default boolean inline() {
        return switch (this) {
            case Text ignored -> true;
            case Element element -> element.tag().inline();
        };
    }
}
