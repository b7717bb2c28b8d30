package io.hiroba.saga.workflow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A part of a text in YAML or JSON, which knows its line. */
sealed interface Node {

    /** Deeper than any workflow; what is nested deeper is an attack. */
    int DEEPEST = 32;

    int line();

    JsonNode json();

    /** Keys and values, in their order. */
    record Fields(int line, Map<String, Field> fields) implements Node {

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

    /** A value, and the line of its key. */
    record Field(int line, Node value) {}

    record Items(int line, List<Node> items) implements Node {

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
    record Scalar(int line, JsonNode json) implements Node {}
}
