package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;

/** Refuses a NUL in the path or the query, before it reaches a statement that cannot take it. */
final class UnstorableText implements Handler {

    @Override
    public void handle(Context ctx) {
        var query = ctx.queryString();
        if (ctx.req().getRequestURI().contains("%00") || (query != null && query.contains("%00"))) {
            throw HttpProblem.badText();
        }
    }
}
