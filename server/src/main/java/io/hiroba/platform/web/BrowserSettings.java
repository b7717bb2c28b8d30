package io.hiroba.platform.web;

import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.i18n.Language;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a browser tells of its reader, who may not be signed in: the language and the time zone. */
public final class BrowserSettings {

    /** The cookie of the language that was chosen in this browser. */
    static final String LANGUAGE = "hiroba_language";

    /** The cookie of the browser's time zone, which {@code app.js} writes. */
    private static final String ZONE = "hiroba_zone";

    private static final int MAX_ZONE = 50;

    private BrowserSettings() {}

    /** The language that was chosen in the browser, else the one that it asks for. */
    public static Language language(Context ctx) {
        return Language.of(ctx.cookie(LANGUAGE)).orElseGet(() -> RequestLanguage.ACCEPTED.of(ctx));
    }

    public static Optional<ZoneId> zone(Context ctx) {
        return zone(ctx.cookie(ZONE));
    }

    static Optional<ZoneId> zone(@Nullable String name) {
        if (name == null || name.length() > MAX_ZONE) {
            return Optional.empty();
        }
        try {
            return Optional.of(ZoneId.of(name.replace("%2F", "/")));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
