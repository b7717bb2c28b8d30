package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The scope that a token needs for an operation, as the OpenAPI document says in its {@code security}. */
public final class OperationScopes {

    private OperationScopes() {}

    /** The scope of the matched route: an empty text if any token will do, nothing if the document does not say. */
    public static Optional<String> of(Context ctx) {
        var endpoint = ctx.endpoints().matchedHttpEndpoint();
        if (endpoint == null) {
            return Optional.empty();
        }
        var scope = of(endpoint.method, endpoint.path);
        return Optional.ofNullable(
                scope == null && endpoint.method.equals(HandlerType.HEAD) ? of(HandlerType.GET, endpoint.path) : scope);
    }

    private static @Nullable String of(HandlerType method, String path) {
        return ContractDocument.SCOPES.get(method.name() + " " + path);
    }

    /** The scope of the operation with this id, as of {@link #of}. */
    public static Optional<String> named(String operation) {
        return Optional.ofNullable(ContractDocument.SCOPES_BY_NAME.get(operation));
    }
}
