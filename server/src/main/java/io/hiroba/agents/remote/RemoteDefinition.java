package io.hiroba.agents.remote;

import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.text.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The definition of a tool as its server gives it: canonical JSON, so that any change of what a model or an admin would read is seen.
 *
 * @param json an object with the names of its fields in order
 */
record RemoteDefinition(String json) {

    /** The most characters that a definition has. */
    private static final int MAX_LENGTH = 20_000;

    private static final int MAX_REMOTE_NAME = 200;
    private static final int MAX_NAME = 60;
    private static final int HASH_LENGTH = 8;
    private static final String SEPARATOR = "__";
    private static final List<String> FIELDS =
            List.of("name", "title", "description", "inputSchema", "outputSchema", "annotations");

    /** Numbers keep every digit, and a name that is there twice is refused. */
    static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** The definition of a listed tool; empty if it has no name or none that can be kept. */
    static Optional<RemoteDefinition> of(JsonNode tool) {
        var name = tool.path("name").asString("");
        if (name.isEmpty() || name.length() > MAX_REMOTE_NAME || !VisibleText.isVisible(name)) {
            return Optional.empty();
        }
        var kept = JSON.createObjectNode();
        for (var field : FIELDS) {
            if (tool.has(field)) {
                kept.set(field, tool.path(field));
            }
        }
        var text = JSON.writeValueAsString(sorted(kept));
        return text.length() > MAX_LENGTH ? Optional.empty() : Optional.of(new RemoteDefinition(text));
    }

    private static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            var sorted = JSON.createObjectNode();
            node.properties().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(field -> sorted.set(field.getKey(), sorted(field.getValue())));
            return sorted;
        }
        if (node.isArray()) {
            var all = JSON.createArrayNode();
            node.forEach(element -> all.add(sorted(element)));
            return all;
        }
        return node;
    }

    private JsonNode field(String name) {
        return JSON.readTree(json).path(name);
    }

    /** The name by which its server knows it. */
    String remoteName() {
        return field("name").asString("");
    }

    String title() {
        var title = field("title").asString("");
        return title.isEmpty() ? field("annotations").path("title").asString("") : title;
    }

    String description() {
        return field("description").asString("");
    }

    /** A JSON Schema. */
    JsonNode inputSchema() {
        return field("inputSchema");
    }

    /** Whether models and admins read the same: nothing in it is hidden, and it has a schema of an object. */
    boolean isUsable() {
        return inputSchema().path("type").asString("").equals("object") && isVisible(JSON.readTree(json));
    }

    private static boolean isVisible(JsonNode node) {
        if (node.isObject()) {
            return node.properties().stream()
                    .allMatch(field -> VisibleText.isVisible(field.getKey()) && isVisible(field.getValue()));
        }
        if (node.isArray()) {
            return node.valueStream().allMatch(RemoteDefinition::isVisible);
        }
        return !node.isString() || VisibleText.isVisible(node.stringValue());
    }

    /** Tells this definition apart from others, for people who allow it. */
    String digest() {
        // All of it: two definitions of one short digest are found within hours.
        return Sha256.hex(json);
    }

    /** The name by which agents call the tool: in characters that all models take, and the same each time. */
    String nameOn(String server) {
        var remote = remoteName();
        var plain = remote.replaceAll("[^A-Za-z0-9_-]", "_");
        var whole = server + SEPARATOR + plain;
        if (plain.equals(remote) && whole.length() <= MAX_NAME) {
            return whole;
        }
        return whole.substring(0, Math.min(whole.length(), MAX_NAME - HASH_LENGTH - 1)) + "_"
                + Sha256.hex(remote).substring(0, HASH_LENGTH);
    }

    /** Whether a tool of this name is one of another server. */
    static boolean isRemote(String tool) {
        return tool.contains(SEPARATOR);
    }
}
