package io.hiroba.accounts;

import io.hiroba.platform.i18n.Language;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * An account with the details that lists leave out.
 *
 * @param introduction Markdown
 * @param aiPersonality plain text; for the user and admins only
 * @param language the language that was chosen; without one, pages are in the browser's
 */
public record Profile(
        User user,
        String introduction,
        @Nullable String aiPersonality,
        @Nullable ZoneId timeZone,
        @Nullable Language language) {}
