package io.hiroba.accounts;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * An account with the details that lists leave out.
 *
 * @param introduction Markdown
 * @param aiPersonality plain text; for the user and admins only
 */
public record Profile(
        User user,
        String introduction,
        @Nullable String aiPersonality,
        @Nullable ZoneId timeZone) {}
