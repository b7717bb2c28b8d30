package io.hiroba.social.pages;

import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.LocalPath;
import io.javalin.http.Context;
import java.util.regex.Pattern;

/** The path of the page to return to after an action. */
final class ReturnPath {

    // As the last parameter, or before others.
    private static final Pattern AFTER = Pattern.compile("[?&]after=[^&]*$|(?<=[?&])after=[^&]*&");

    private ReturnPath() {}

    /** The path of the page that is rendered, or that a fragment is for: of a list, its first page. */
    static String here(Context ctx) {
        return HtmxRequest.isFragment(ctx) ? AFTER.matcher(LocalPath.of(ctx)).replaceFirst("") : LocalPath.of(ctx);
    }

    /** The path that a form was sent with. */
    static String of(Context ctx, String otherwise) {
        return LocalPath.orElse(ctx.formParam("back"), otherwise);
    }
}
