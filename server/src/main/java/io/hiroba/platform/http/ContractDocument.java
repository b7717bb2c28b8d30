package io.hiroba.platform.http;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The OpenAPI document as far as requests are held to it; read when it is first needed, since that takes longer than a request. */
final class ContractDocument {

    static final String PATH = "io/hiroba/contract/openapi.yaml";

    /** The query parameters of each route, such as {@code GET /api/v1/posts}, that does not take any. */
    static final Map<String, QueryParameters> PARAMETERS;

    /**
     * The names of query parameters.
     *
     * @param lists those that may be given several times
     */
    record QueryParameters(Set<String> names, Set<String> lists) {}

    /** The scope of each route that says what it takes; empty if it takes none. */
    static final Map<String, String> SCOPES;

    /** The same by the names of the operations. */
    static final Map<String, String> SCOPES_BY_NAME;

    static {
        var document = read();
        var parameters = new HashMap<String, QueryParameters>();
        var scopes = new HashMap<String, String>();
        var scopesByName = new HashMap<String, String>();
        for (var path : document.path("paths").properties()) {
            for (var entry : path.getValue().properties()) {
                var operation = entry.getValue();
                var route = entry.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                var taken = parameters(document, operation);
                if (taken != null) {
                    parameters.put(route, taken);
                }
                if (operation.has("security")) {
                    var scope = scope(operation.path("security"));
                    scopes.put(route, scope);
                    scopesByName.put(operation.path("operationId").asString(""), scope);
                }
            }
        }
        PARAMETERS = Map.copyOf(parameters);
        SCOPES = Map.copyOf(scopes);
        SCOPES_BY_NAME = Map.copyOf(scopesByName);
    }

    private ContractDocument() {}

    static JsonNode read() {
        return new YAMLMapper().readTree(Assets.resource(PATH).orElseThrow());
    }

    private static String scope(JsonNode security) {
        for (var way : security) {
            var scope = way.path("bearer").path(0).asString("");
            if (!scope.isEmpty()) {
                return scope;
            }
        }
        return "";
    }

    /** Null if a parameter is an object, whose properties are parameters of their own. */
    private static @Nullable QueryParameters parameters(JsonNode document, JsonNode operation) {
        var names = new LinkedHashSet<String>();
        var lists = new HashSet<String>();
        for (var each : operation.path("parameters")) {
            var reference = each.path("$ref").asString("");
            var parameter = reference.isEmpty() ? each : document.at(reference.substring(1));
            if (parameter.path("in").asString("").equals("query")) {
                if (parameter.at("/schema/type").asString("").equals("object")) {
                    return null;
                }
                var name = parameter.path("name").asString("");
                names.add(name);
                if (parameter.at("/schema/type").asString("").equals("array")
                        || parameter.path("x-repeatable").asBoolean(false)) {
                    lists.add(name);
                }
            }
        }
        return new QueryParameters(names, lists);
    }
}
