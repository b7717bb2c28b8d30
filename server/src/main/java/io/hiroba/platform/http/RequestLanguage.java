package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Language;
import io.javalin.http.Context;

/** Tells in which language a request is answered. */
@FunctionalInterface
public interface RequestLanguage {

    /** What the browser or program asks for in its header, and English otherwise. */
    RequestLanguage ACCEPTED =
            ctx -> Language.accepted(ctx.header("Accept-Language")).orElse(Language.ENGLISH);

    Language of(Context ctx);
}
