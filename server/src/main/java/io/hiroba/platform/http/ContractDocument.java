package io.hiroba.platform.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The OpenAPI document as far as requests are held to it; read when it is first needed, since that takes longer than a request. */
final class ContractDocument {

    static final String PATH = "io/hiroba/contract/openapi.yaml";

    /** The parameters of each route, such as {@code GET /api/v1/posts}. */
    static final Map<String, Parameters> PARAMETERS;

    /**
     * The parameters of a path and its query.
     *
     * @param takesAny whether the query may have others too
     * @param names those of the query
     * @param lists those of the query that may be given several times
     * @param query the forms of those in the query that have one, without numbers: whoever reads these tells their bounds
     * @param path the forms of those in the path that have one
     */
    record Parameters(
            boolean takesAny,
            Set<String> names,
            Set<String> lists,
            Map<String, ParameterForm> query,
            Map<String, ParameterForm> path) {}

    /** The scope of each route that says what it takes; empty if it takes none. */
    static final Map<String, String> SCOPES;

    /** The same by the names of the operations. */
    static final Map<String, String> SCOPES_BY_NAME;

    static {
        var document = read();
        var parameters = new HashMap<String, Parameters>();
        var scopes = new HashMap<String, String>();
        var scopesByName = new HashMap<String, String>();
        for (var path : document.path("paths").properties()) {
            for (var entry : path.getValue().properties()) {
                var operation = entry.getValue();
                var route = entry.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                parameters.put(route, parameters(document, path.getValue(), operation));
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

    private static Parameters parameters(JsonNode document, JsonNode ofPath, JsonNode operation) {
        var takesAny = false;
        var names = new LinkedHashSet<String>();
        var lists = new HashSet<String>();
        var query = new HashMap<String, ParameterForm>();
        var path = new HashMap<String, ParameterForm>();
        for (var each : declared(ofPath, operation)) {
            var reference = each.path("$ref").asString("");
            var parameter = reference.isEmpty() ? each : document.at(reference.substring(1));
            var name = parameter.path("name").asString("");
            var form = ParameterForm.of(parameter.path("schema"));
            var in = parameter.path("in").asString("");
            if (in.equals("path")) {
                form.ifPresent(found -> path.put(name, found));
            } else if (in.equals("query")) {
                var type = parameter.at("/schema/type").asString("");
                // The properties of an object are parameters of their own.
                takesAny |= type.equals("object");
                names.add(name);
                if (type.equals("array") || parameter.path("x-repeatable").asBoolean(false)) {
                    lists.add(name);
                }
                form.filter(found -> found != ParameterForm.NUMBER).ifPresent(found -> query.put(name, found));
            }
        }
        return new Parameters(takesAny, names, lists, query, path);
    }

    private static List<JsonNode> declared(JsonNode ofPath, JsonNode operation) {
        var all = new ArrayList<JsonNode>();
        ofPath.path("parameters").forEach(all::add);
        operation.path("parameters").forEach(all::add);
        return all;
    }
}
