package io.hiroba.inbox.fanout;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A description of a person, with at least one name that identifies them. */
public record PersonDescription(
        @Nullable String externalId,
        @Nullable String username,
        @Nullable String email,
        @Nullable String name,
        @Nullable String avatarUrl) {

    private static final int MAX_ID_LENGTH = 100;
    private static final int MAX_NAME_LENGTH = 255;
    private static final int MAX_EMAIL_LENGTH = 254;
    private static final int MAX_URL_LENGTH = 2000;

    public PersonDescription {
        externalId = fitting(externalId, MAX_ID_LENGTH);
        username = fitting(username, MAX_NAME_LENGTH);
        // GitLab writes [REDACTED] where an address is not public.
        email = email != null && email.contains("@") ? fitting(email.toLowerCase(Locale.ROOT), MAX_EMAIL_LENGTH) : null;
        name = name == null ? null : name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
        avatarUrl = fitting(avatarUrl, MAX_URL_LENGTH);
    }

    private static @Nullable String fitting(@Nullable String text, int maxLength) {
        return text == null || text.isBlank() || text.length() > maxLength ? null : text;
    }

    /** Empty if nothing in it identifies the person. */
    public static Optional<PersonDescription> of(PersonDescription described) {
        return Stream.of(described.externalId, described.username, described.email)
                        .anyMatch(Objects::nonNull)
                ? Optional.of(described)
                : Optional.empty();
    }

    public static PersonDescription byUsername(String username) {
        return new PersonDescription(null, username, null, null, null);
    }
}
