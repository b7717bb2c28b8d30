package io.hiroba.inbox.resources;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was said of somebody: not all of it always, but at least one thing by which they can be known again. */
public record Described(
        @Nullable String externalId,
        @Nullable String username,
        @Nullable String email,
        @Nullable String name,
        @Nullable String avatarUrl) {

    private static final int LONGEST_ID = 100;
    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_EMAIL = 254;
    private static final int LONGEST_URL = 2000;

    public Described {
        externalId = fitting(externalId, LONGEST_ID);
        username = fitting(username, LONGEST_NAME);
        // GitLab writes [REDACTED] where an address is not public.
        email = email != null && email.contains("@") ? fitting(email.toLowerCase(Locale.ROOT), LONGEST_EMAIL) : null;
        name = name == null ? null : name.substring(0, Math.min(name.length(), LONGEST_NAME));
        avatarUrl = fitting(avatarUrl, LONGEST_URL);
    }

    private static @Nullable String fitting(@Nullable String text, int longest) {
        return text == null || text.isBlank() || text.length() > longest ? null : text;
    }

    /** Nothing, if there is nothing by which they could be known again. */
    public static Optional<Described> of(Described described) {
        return Stream.of(described.externalId, described.username, described.email)
                        .anyMatch(Objects::nonNull)
                ? Optional.of(described)
                : Optional.empty();
    }

    public static Described byUsername(String username) {
        return new Described(null, username, null, null, null);
    }
}
