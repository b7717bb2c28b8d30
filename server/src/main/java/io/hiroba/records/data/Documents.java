package io.hiroba.records.data;

import io.hiroba.platform.http.Json;
import io.hiroba.records.schema.Attribute;
import java.util.Collection;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Documents, the arrays that records are stored as, and the objects that they are shown as. */
public final class Documents {

    private static final JsonMapper EXACT = Json.exact();

    private Documents() {}

    /** JSON with exact numbers. */
    public static JsonMapper exact() {
        return EXACT;
    }

    public static ArrayNode read(String stored) {
        return (ArrayNode) EXACT.readTree(stored);
    }

    /** What {@code document} holds of {@code attributes}, by their names; what it does not have is left out. */
    public static ObjectNode shown(Collection<Attribute> attributes, ArrayNode document) {
        var shown = EXACT.createObjectNode();
        for (var attribute : attributes) {
            var value = value(document, attribute);
            if (!value.isNull()) {
                shown.set(attribute.name(), attribute.type().shown(value));
            }
        }
        return shown;
    }

    /** The value of {@code attribute}, or a JSON null. */
    public static JsonNode value(ArrayNode document, Attribute attribute) {
        var value = document.get(attribute.place());
        return value == null ? document.nullNode() : value;
    }
}
