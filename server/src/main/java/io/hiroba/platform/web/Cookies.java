package io.hiroba.platform.web;

import io.hiroba.platform.i18n.Language;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.SameSite;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The cookies of the shell: the theme, the language, and the notice that a redirect carries to the next page. */
final class Cookies {

    /**
     * Written by {@code app.js} too, at once: an answer that sets it may come when the reader is on the next page
     * already.
     */
    private static final String THEME = "hiroba_colours";

    private static final String NOTICE = "hiroba_notice";
    private static final int YEAR = 365 * 24 * 60 * 60;
    private static final int MINUTE = 60;
    private static final int MAX_NOTICE_LENGTH = 1000;

    private final boolean secure;

    Cookies(boolean secure) {
        this.secure = secure;
    }

    Theme theme(Context ctx) {
        return Theme.parse(ctx.cookie(THEME));
    }

    void saveTheme(Context ctx, Theme theme) {
        ctx.cookie(cookie(THEME, theme.word(), YEAR, false));
    }

    void saveLanguage(Context ctx, Language language) {
        ctx.cookie(cookie(BrowserSettings.LANGUAGE, language.code(), YEAR, false));
    }

    void saveNotice(Context ctx, String notice) {
        var bytes = notice.getBytes(StandardCharsets.UTF_8);
        ctx.cookie(cookie(NOTICE, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), MINUTE, true));
    }

    /** The notice of the previous answer, which is cleared: it is shown once. */
    @Nullable
    String takeNotice(Context ctx) {
        var encoded = ctx.cookie(NOTICE);
        if (encoded == null || encoded.isEmpty()) {
            return null;
        }
        ctx.cookie(cookie(NOTICE, "", 0, true));
        return encoded.length() > MAX_NOTICE_LENGTH ? null : decode(encoded);
    }

    private static @Nullable String decode(String encoded) {
        try {
            return new String(Base64.getUrlDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private Cookie cookie(String name, String value, int maxAge, boolean hidden) {
        return new Cookie(name, value, "/", maxAge, secure, hidden, null, SameSite.LAX);
    }
}
