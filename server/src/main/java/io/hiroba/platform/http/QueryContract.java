package io.hiroba.platform.http;

import io.hiroba.platform.http.ContractDocument.QueryParameters;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import org.jspecify.annotations.Nullable;

/**
 * Refuses query parameters that the OpenAPI document does not give the operation, or gives it once, as unknown and duplicate fields of
 * a body are refused: a misspelt filter would otherwise answer with everything. Pages take any, since links to them pick up
 * parameters on their way.
 */
final class QueryContract implements Handler {

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
        ctx.queryParamMap().forEach((name, values) -> {
            if (!name.isEmpty() && !known.names().contains(name)) {
                throw HttpProblem.unknownParameter(name, known.names());
            }
            if (values.size() > 1 && !known.lists().contains(name)) {
                throw HttpProblem.repeatedParameter(name);
            }
        });
    }

    /** The operation's parameters; null if it takes any, or is not in the document. */
    private static @Nullable QueryParameters known(Context ctx) {
        var endpoint = ctx.endpoints().matchedHttpEndpoint();
        if (endpoint == null) {
            return null;
        }
        var method = endpoint.method.equals(HandlerType.HEAD) ? HandlerType.GET : endpoint.method;
        return ContractDocument.PARAMETERS.get(method.name() + " " + endpoint.path);
    }
}
