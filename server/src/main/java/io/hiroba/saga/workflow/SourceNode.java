package io.hiroba.saga.workflow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A part of a text in YAML or JSON, which knows its place. */
sealed interface SourceNode {

    /** Deeper than any workflow; what is nested deeper is an attack. */
    int DEEPEST = 32;

    SourcePosition place();

    JsonNode json();

    /** Keys and values, in their order. */
    record Fields(SourcePosition place, Map<String, Field> fields) implements SourceNode {

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

    /** A value, and the place of its key. */
    record Field(SourcePosition place, SourceNode value) {}

    record Items(SourcePosition place, List<SourceNode> items) implements SourceNode {

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
    record Scalar(SourcePosition place, JsonNode json) implements SourceNode {}
}
