package io.hiroba.activity.pages;

import io.hiroba.activity.Kind;
import io.hiroba.activity.digest.Digest;
import io.hiroba.activity.settings.Preferences;
import org.jspecify.annotations.Nullable;

/**
 * What somebody is told, as the settings show it.
 *
 * @param email where the digest goes
 * @param next when the next one comes, if one does
 * @param zone the time zone of that
 */
public record NotificationSettings(
        Preferences preferences, String email, @Nullable String next, String zone) {

    public boolean isTold(Kind kind) {
        return !preferences.mutedKinds().contains(kind);
    }

    public static String label(Kind kind) {
        return switch (kind) {
            case FOLLOW -> "Somebody follows me";
            case LIKE -> "Somebody likes a post of mine";
            case REPLY -> "Somebody replies to a post of mine, or to one that I follow";
            case MENTION -> "Somebody mentions me";
        };
    }

    public static String label(Digest digest) {
        return switch (digest) {
            case OFF -> "No mail";
            case DAILY -> "Every day";
            case WEEKLY -> "Every Monday";
        };
    }
}
