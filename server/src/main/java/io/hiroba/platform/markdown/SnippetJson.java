package io.hiroba.platform.markdown;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The stored form of nodes: JSON with a word of one or two letters for each name.
 *
 * <p>A text is {@code {"X":"…"}}; an element has its tag as T, attributes under their short names, and its children as
 * C, or as X where the only child is a text. Reading gives back exactly what was written.
 */
final class SnippetJson {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String TAG = "T";
    private static final String CHILDREN = "C";
    private static final String TEXT = "X";

    private SnippetJson() {}

    static String write(List<HtmlNode> nodes) {
        return array(nodes).toString();
    }

    static List<HtmlNode> read(String json) {
        try {
            return nodes(JSON.readTree(json));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a stored snippet", e);
        }
    }

    /** The most that an element adds to the stored form, not counting its children. */
    static int weight(HtmlNode.Element element) {
        int weight = "{'T':'','C':[]},".length() + element.tag().text().length();
        for (String value : element.attributes().values()) {
            weight +=
                    "'HF':'',".length() + value.chars().map(SnippetJson::weight).sum();
        }
        return weight;
    }

    /** The most that an empty text adds to the stored form. */
    static int emptyTextWeight() {
        return "{'X':''},".length();
    }

    /** The characters that the stored form takes for this one. */
    static int weight(int codePoint) {
        return switch (codePoint) {
            case '"', '\\', '\n', '\t' -> 2;
            default -> Character.charCount(codePoint);
        };
    }

    private static ArrayNode array(List<HtmlNode> nodes) {
        var array = JSON.createArrayNode();
        for (HtmlNode node : nodes) {
            array.add(
                    switch (node) {
                        case HtmlNode.Text text -> JSON.createObjectNode().put(TEXT, text.text());
                        case HtmlNode.Element element -> object(element);
                    });
        }
        return array;
    }

    private static ObjectNode object(HtmlNode.Element element) {
        var object = JSON.createObjectNode().put(TAG, element.tag().text());
        element.attributes().forEach((attribute, value) -> object.put(attribute.shortName(), value));
        var children = element.children();
        if (children.size() == 1 && children.getFirst() instanceof HtmlNode.Text only) {
            object.put(TEXT, only.text());
        } else if (!children.isEmpty()) {
            object.set(CHILDREN, array(children));
        }
        return object;
    }

    private static List<HtmlNode> nodes(JsonNode array) {
        if (!array.isArray()) {
            throw new IllegalArgumentException("not a list of nodes");
        }
        List<HtmlNode> nodes = new ArrayList<>(array.size());
        for (JsonNode object : array) {
            nodes.add(node(object));
        }
        return nodes;
    }

    private static HtmlNode node(JsonNode object) {
        if (!object.isObject()) {
            throw new IllegalArgumentException("not a node");
        }
        if (!object.has(TAG)) {
            return new HtmlNode.Text(object.path(TEXT).stringValue());
        }
        var attributes = new EnumMap<HtmlAttribute, String>(HtmlAttribute.class);
        List<HtmlNode> children = List.of();
        for (var property : object.properties()) {
            switch (property.getKey()) {
                case TAG -> {}
                case TEXT ->
                    children = List.of(new HtmlNode.Text(property.getValue().stringValue()));
                case CHILDREN -> children = nodes(property.getValue());
                default ->
                    attributes.put(
                            HtmlAttribute.ofShortName(property.getKey()),
                            property.getValue().stringValue());
            }
        }
        return new HtmlNode.Element(HtmlTag.of(object.path(TAG).stringValue()), attributes, children);
    }
}
