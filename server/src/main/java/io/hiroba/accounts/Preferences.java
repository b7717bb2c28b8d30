package io.hiroba.accounts;

import io.hiroba.platform.i18n.Language;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * How somebody reads, as far as their browser or program tells it.
 *
 * @param language null for none in particular
 * @param timeZone null for none in particular
 */
public record Preferences(
        @Nullable Language language, @Nullable ZoneId timeZone) {}
