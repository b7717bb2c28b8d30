package io.hiroba.platform.http;

import io.hiroba.platform.i18n.Language;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.Optional;
import java.util.function.Function;

/**
 * The language in which a request is answered, problems and other texts alike: the one that a program names in its
 * {@code Accept-Language}, else that of the reader, which is the account's where one was chosen. What a browser sends by itself, with
 * the requests of scripts too, names none: it is the same for all who use it.
 */
public final class RequestLanguage {

    private static final String HEADER = "Accept-Language";
    private static final String READER = "hiroba.reader-language";
    private static final String API = "/api/";

    private RequestLanguage() {}

    /** Lets {@code reader} tell the language of who reads the answers. */
    static Handler handler(Function<Context, Language> reader) {
        return ctx -> ctx.attribute(READER, reader);
    }

    /** To be asked before a transaction begins, since the reader's language may be in the database. */
    public static Language of(Context ctx) {
        return named(ctx).orElseGet(() -> {
            Function<Context, Language> reader = ctx.attribute(READER);
            return reader == null ? accepted(ctx) : reader.apply(ctx);
        });
    }

    /** What the header alone asks for, and English otherwise. */
    public static Language accepted(Context ctx) {
        return Language.accepted(ctx.header(HEADER)).orElse(Language.ENGLISH);
    }

    private static Optional<Language> named(Context ctx) {
        var byScript = "same-origin".equals(ctx.header("Sec-Fetch-Site"));
        return ctx.path().startsWith(API) && !byScript ? Language.accepted(ctx.header(HEADER)) : Optional.empty();
    }
}
