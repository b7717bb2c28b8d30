package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Refuses query parameters that the OpenAPI document does not give the operation, as unknown fields of a body are refused: a
 * misspelt filter would otherwise answer with everything. Pages take any, since links to them pick up parameters on their way.
 */
final class QueryContract implements Handler {

    static final String DOCUMENT = "io/hiroba/contract/openapi.yaml";

    private static final String API = "/api/";

    @Override
    public void handle(Context ctx) {
        if (ctx.queryString() == null || !ctx.path().startsWith(API)) {
            return;
        }
        var known = known(ctx);
        if (known == null) {
            return;
        }
        for (var name : ctx.queryParamMap().keySet()) {
            if (!name.isEmpty() && !known.contains(name)) {
                throw HttpProblem.unknownParameter(name, known);
            }
        }
    }

    /** The names of the operation's parameters; null if it takes any, or is not in the document. */
    private static @Nullable Set<String> known(Context ctx) {
        var endpoint = ctx.endpoints().matchedHttpEndpoint();
        if (endpoint == null) {
            return null;
        }
        var method = endpoint.method.equals(HandlerType.HEAD) ? HandlerType.GET : endpoint.method;
        return Document.PARAMETERS.get(method.name() + " " + endpoint.path);
    }

    /** The document as far as it concerns queries; read when the first query comes, since that takes longer than a request. */
    private static final class Document {

        static final Map<String, Set<String>> PARAMETERS = read();

        private Document() {}

        private static Map<String, Set<String>> read() {
            var document = new YAMLMapper().readTree(Assets.resource(DOCUMENT).orElseThrow());
            var parameters = new HashMap<String, Set<String>>();
            for (var path : document.path("paths").properties()) {
                for (var operation : path.getValue().properties()) {
                    var names = names(document, operation.getValue());
                    if (names != null) {
                        parameters.put(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(), names);
                    }
                }
            }
            return Map.copyOf(parameters);
        }

        /** Null if a parameter is an object, whose properties are parameters of their own. */
        private static @Nullable Set<String> names(JsonNode document, JsonNode operation) {
            var names = new LinkedHashSet<String>();
            for (var each : operation.path("parameters")) {
                var reference = each.path("$ref").asString("");
                var parameter = reference.isEmpty() ? each : document.at(reference.substring(1));
                if (parameter.path("in").asString("").equals("query")) {
                    if (parameter.at("/schema/type").asString("").equals("object")) {
                        return null;
                    }
                    names.add(parameter.path("name").asString(""));
                }
            }
            return names;
        }
    }
}
