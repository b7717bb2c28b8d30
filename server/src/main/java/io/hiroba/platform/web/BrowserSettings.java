package io.hiroba.platform.web;

import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.i18n.Language;
import io.javalin.http.Context;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The language and the time zone that a browser tells of its reader, who need not be signed in. */
public final class BrowserSettings {

    /** The cookie of the language that was chosen in this browser. */
    static final String LANGUAGE = "hiroba_language";

    /** The cookie of the browser's time zone, which {@code app.js} writes. */
    private static final String ZONE = "hiroba_zone";

    private static final int MAX_ZONE = 50;

    private static final Set<String> REGIONS = ZoneId.getAvailableZoneIds().stream()
            .filter(name -> name.equals("UTC")
                    || (name.contains("/") && !name.startsWith("Etc/") && !name.startsWith("SystemV/")))
            .collect(Collectors.toUnmodifiableSet());

    private BrowserSettings() {}

    /** The language that was chosen in the browser, else the one that it asks for. */
    public static Language language(Context ctx) {
        return Language.of(ctx.cookie(LANGUAGE)).orElseGet(() -> RequestLanguage.accepted(ctx));
    }

    public static Optional<ZoneId> zone(Context ctx) {
        return zone(ctx.cookie(ZONE));
    }

    /** A zone of a region: the database knows no others by the names that Java gives them. */
    static Optional<ZoneId> zone(@Nullable String name) {
        return name != null && name.length() <= MAX_ZONE && REGIONS.contains(name)
                ? Optional.of(ZoneId.of(name))
                : Optional.empty();
    }
}
