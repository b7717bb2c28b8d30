package io.hiroba.platform.http;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The routes the API's document promises, and those a server has that belong in it: for holding the two equal. */
public final class ContractRoutes {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch", "head", "options");
    private static final Set<String> OUTSIDE_THE_API =
            Set.of("/healthz", "/readyz", "/metrics", "/docs", "/openapi.yaml");

    private ContractRoutes() {}

    /** The API's document. */
    public static JsonNode document() {
        return new YAMLMapper()
                .readTree(Assets.resource("io/hiroba/contract/openapi.yaml").orElseThrow());
    }

    /** For example {@code GET /api/v1/users/{id}}. */
    public static Set<String> documented() {
        var document = document();
        var routes = new TreeSet<String>();
        for (var path : document.get("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                if (METHODS.contains(operation.getKey())) {
                    routes.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                }
            }
        }
        return routes;
    }

    private static boolean isPromised(String path) {
        return path.startsWith("/api/") || isOfAFeature(path) || OUTSIDE_THE_API.contains(path);
    }

    /** The paths of features that are not below /api, but for the page of OAuth. */
    static boolean isOfAFeature(String path) {
        return path.equals("/mcp")
                || path.startsWith("/odata/")
                || path.startsWith("/.well-known/oauth")
                || (path.startsWith("/oauth/") && !path.equals("/oauth/authorize"));
    }

    /** Pages and assets are left out: the document is about what programs may rely on. */
    public static Set<String> registered(HttpServer server) {
        var routes = new TreeSet<String>();
        for (var route : server.routes()) {
            if (isPromised(route.path()) && !route.method().equals("OPTIONS")) {
                routes.add(route.method() + " " + route.path());
            }
        }
        return routes;
    }
}
