package io.hiroba.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes JSON. */
final class CliJson {

    /** Numbers keep their digits: what is passed on is what the server said. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private CliJson() {}

    static String write(Map<String, ?> object) {
        return MAPPER.writeValueAsString(object);
    }

    /** Parses {@code text}; empty if it is not JSON. */
    static Optional<JsonNode> read(String text) {
        try {
            return Optional.ofNullable(MAPPER.readTree(text));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Creates an object from alternating names and values. */
    static JsonNode object(Object... namesAndValues) {
        var object = MAPPER.createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.putPOJO(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    /** A page without a next one. */
    static JsonNode page(List<JsonNode> items) {
        var page = MAPPER.createObjectNode();
        page.putArray("items").addAll(items);
        return page.putNull("next");
    }

    static String problem(String code, String detail) {
        return text(MAPPER.createObjectNode().put("code", code).put("detail", detail));
    }

    /**
     * JSON on one line. Control characters that JSON allows unescaped are escaped too: a terminal would execute them.
     */
    static String text(JsonNode node) {
        var line = new StringBuilder();
        for (char c : MAPPER.writeValueAsString(node).toCharArray()) {
            if (c >= 0x7f && c <= 0x9f) {
                line.append("\\u%04x".formatted((int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
