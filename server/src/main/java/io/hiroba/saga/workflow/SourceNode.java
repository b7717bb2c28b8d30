package io.hiroba.saga.workflow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node of a parsed text in YAML or JSON, with its position. */
sealed interface SourceNode {

    /** Deeper than any real workflow. */
    int MAX_DEPTH = 32;

    SourcePosition position();

    JsonNode json();

    /** An object: keys and values, in their order. */
    record Fields(SourcePosition position, Map<String, Field> fields) implements SourceNode {

        public Fields {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        @Override
        public JsonNode json() {
            var object = JsonMapper.shared().createObjectNode();
            fields.forEach((key, field) -> object.set(key, field.value().json()));
            return object;
        }
    }

    /** A value with the position of its key. */
    record Field(SourcePosition position, SourceNode value) {}

    record Items(SourcePosition position, List<SourceNode> items) implements SourceNode {

        public Items {
            items = List.copyOf(items);
        }

        @Override
        public JsonNode json() {
            var array = JsonMapper.shared().createArrayNode();
            items.forEach(item -> array.add(item.json()));
            return array;
        }
    }

    /** A text, a number, true, false or null. */
    record Scalar(SourcePosition position, JsonNode json) implements SourceNode {}
}
