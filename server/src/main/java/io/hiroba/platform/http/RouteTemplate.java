package io.hiroba.platform.http;

import io.javalin.http.Context;

/** The path as it was registered, {@code /api/v1/users/{id}}: a name with few values, unlike the path itself. */
final class RouteTemplate {

    static final String NONE = "none";

    private RouteTemplate() {}

    static String of(Context ctx) {
        var endpoint = ctx.endpoints().lastHttpEndpoint();
        return endpoint == null ? NONE : endpoint.path;
    }
}
