package io.hiroba.social.pages;

import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.LocalPath;
import io.javalin.http.Context;
import java.util.regex.Pattern;

/** The way back to where a button was pressed. */
final class Back {

    // The only parameter, the last or one that others follow.
    private static final Pattern AFTER = Pattern.compile("[?&]after=[^&]*$|(?<=[?&])after=[^&]*&");

    private Back() {}

    /** The address of the page that is being made, or that a piece is added to: of a list, its beginning. */
    static String here(Context ctx) {
        return HtmxRequest.isAskedFor(ctx) ? AFTER.matcher(LocalPath.of(ctx)).replaceFirst("") : LocalPath.of(ctx);
    }

    /** The address that a button carried along. */
    static String of(Context ctx, String otherwise) {
        return LocalPath.orElse(ctx.formParam("back"), otherwise);
    }
}
