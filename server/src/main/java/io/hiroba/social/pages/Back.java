package io.hiroba.social.pages;

import io.hiroba.platform.web.LocalPath;
import io.javalin.http.Context;

/** The way back to where a button was pressed. */
final class Back {

    private Back() {}

    /** The address of the page that is being made. */
    static String here(Context ctx) {
        var query = ctx.queryString();
        return query == null ? ctx.path() : ctx.path() + "?" + query;
    }

    /** The address that a button carried along. */
    static String of(Context ctx, String otherwise) {
        return LocalPath.orElse(ctx.formParam("back"), otherwise);
    }

    /** Whether a script asks for a piece of a page rather than for the page. */
    static boolean wantsPiece(Context ctx) {
        return ctx.header("HX-Request") != null && ctx.header("HX-Boosted") == null;
    }
}
