package io.hiroba.platform.http;

import io.hiroba.platform.http.ContractDocument.Parameters;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import org.jspecify.annotations.Nullable;

/**
 * Holds the parameters of the API to the OpenAPI document, by name. Query parameters that it does not give the operation, or gives it
 * once, are refused as unknown and duplicate fields of a body are: a misspelt filter would otherwise answer with everything. So are
 * texts, in the path too, that cannot be what it says: ids, UUIDs and the numbers of paths. Pages take any, since links to them pick
 * up parameters on their way.
 */
final class ParameterContract implements Handler {

    private static final String API = "/api/";

    @Override
    public void handle(Context ctx) {
        if (!ctx.path().startsWith(API)) {
            return;
        }
        var known = known(ctx);
        if (known == null) {
            return;
        }
        known.path().forEach((name, form) -> form.check(name, ctx.pathParam(name)));
        if (ctx.queryString() != null) {
            checkQuery(ctx, known);
        }
    }

    private static void checkQuery(Context ctx, Parameters known) {
        ctx.queryParamMap().forEach((name, values) -> {
            if (!known.takesAny() && !name.isEmpty() && !known.names().contains(name)) {
                throw HttpProblem.unknownParameter(name, known.names());
            }
            if (!known.takesAny() && values.size() > 1 && !known.lists().contains(name)) {
                throw HttpProblem.repeatedParameter(name);
            }
            var form = known.query().get(name);
            if (form != null) {
                values.stream().filter(value -> !value.isEmpty()).forEach(value -> form.check(name, value));
            }
        });
    }

    /** The operation's parameters; null if it is not in the document. */
    private static @Nullable Parameters known(Context ctx) {
        var endpoint = ctx.endpoints().matchedHttpEndpoint();
        if (endpoint == null) {
            return null;
        }
        var known = ContractDocument.PARAMETERS.get(endpoint.method.name() + " " + endpoint.path);
        return known == null && endpoint.method.equals(HandlerType.HEAD)
                ? ContractDocument.PARAMETERS.get(HandlerType.GET.name() + " " + endpoint.path)
                : known;
    }
}
