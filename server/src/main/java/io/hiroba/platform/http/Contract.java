package io.hiroba.platform.http;

import io.hiroba.platform.task.Lazy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The operations of the OpenAPI document with the schemas of what they take and answer. */
public final class Contract {

    private static final String SCHEMAS = "#/components/schemas/";
    private static final String DEFINITIONS = "#/$defs/";
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final String JSON = "application/json";

    private static final Lazy<Contract> SHARED = Lazy.of(Contract::new);

    private final JsonNode document;
    private final Map<String, Operation> operations = new HashMap<>();

    /** The contract, read when it is first asked for, which takes longer than a request. */
    public static Contract shared() {
        return SHARED.get();
    }

    private Contract() {
        this.document = ContractDocument.read();
        for (var path : document.path("paths").properties()) {
            for (var entry : path.getValue().properties()) {
                if (METHODS.contains(entry.getKey())) {
                    var operation =
                            new Operation(entry.getKey().toUpperCase(Locale.ROOT), path.getKey(), entry.getValue());
                    operations.put(entry.getValue().path("operationId").asString(""), operation);
                }
            }
        }
    }

    /** The version of the API. */
    public String version() {
        return document.at("/info/version").asString();
    }

    /** The operation with this id, which must be there. */
    public Operation operation(String id) {
        var operation = operations.get(id);
        if (operation == null) {
            throw new IllegalArgumentException("no operation " + id);
        }
        return operation;
    }

    private JsonNode follow(JsonNode node) {
        var found = node;
        while (found.has("$ref")) {
            found = document.at(found.path("$ref").asString().substring(1));
        }
        return found;
    }

    /** An operation; its schemas refer to {@code #/$defs} of the schema that they are put into. */
    public final class Operation {

        private final String method;
        private final String path;
        private final JsonNode node;

        private Operation(String method, String path, JsonNode node) {
            this.method = method;
            this.path = path;
            this.node = node;
        }

        public String method() {
            return method;
        }

        public String path() {
            return path;
        }

        public String summary() {
            var description = node.path("description").asString("").strip();
            var summary = node.path("summary").asString("");
            return description.isEmpty() ? summary + "." : summary + ". " + description;
        }

        /** The scope that a token needs; empty if any will do. */
        public String scope() {
            return ContractDocument.SCOPES_BY_NAME.getOrDefault(
                    node.path("operationId").asString(""), "");
        }

        public List<JsonNode> parameters() {
            var all = new ArrayList<JsonNode>();
            node.path("parameters").forEach(parameter -> all.add(follow(parameter)));
            return all;
        }

        /** The schema of the JSON that it takes; null if it takes none. */
        public @Nullable JsonNode body() {
            return schema(follow(node.path("requestBody")));
        }

        /** Whether it cannot do without a body. */
        public boolean requiresBody() {
            return follow(node.path("requestBody")).path("required").asBoolean(false);
        }

        /** The schema of the JSON that it answers if all is well; null if it answers none. */
        public @Nullable JsonNode answer() {
            for (var response : node.path("responses").properties()) {
                if (response.getKey().startsWith("2")) {
                    return schema(follow(response.getValue()));
                }
            }
            return null;
        }

        private static @Nullable JsonNode schema(JsonNode message) {
            var content = message.path("content").path(JSON);
            return content.isMissingNode()
                    ? null
                    : content.has("schema") ? content.path("schema") : JsonNodeFactory.instance.objectNode();
        }

        /** The schema itself where {@code schema} is a reference. */
        public JsonNode resolved(JsonNode schema) {
            return follow(schema);
        }

        /** The schema with references that are local to the schema that it is put into. */
        public JsonNode local(JsonNode schema) {
            var copy = schema.deepCopy();
            copy.findParents("$ref").forEach(parent -> {
                var reference = parent.path("$ref").asString();
                ((ObjectNode) parent).put("$ref", reference.replace(SCHEMAS, DEFINITIONS));
            });
            return copy;
        }

        /** All schemas that a local one refers to, by their names. */
        public JsonNode definitions(JsonNode schema) {
            var definitions = JsonNodeFactory.instance.objectNode();
            collect(schema, definitions);
            return definitions;
        }

        private void collect(JsonNode schema, ObjectNode definitions) {
            for (var reference : schema.findValuesAsString("$ref")) {
                var name = reference.substring(DEFINITIONS.length());
                if (!definitions.has(name)) {
                    var definition = local(document.at("/components/schemas/" + name));
                    definitions.set(name, definition);
                    collect(definition, definitions);
                }
            }
        }
    }
}
