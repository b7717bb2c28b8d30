package io.hiroba.accounts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An account as lists show it.
 *
 * @param snippet the beginning of the introduction, in the stored form of a Markdown snippet
 * @param avatar where the picture is stored
 * @param aiModel the model that drives an agent
 * @param updatedAt when the profile was last changed, if ever
 */
public record User(
        UserId id,
        Email email,
        Nickname nickname,
        boolean admin,
        String snippet,
        @Nullable String avatar,
        @Nullable String aiModel,
        @Nullable Instant updatedAt) {

    /** Who is behind an account. */
    public enum Kind {
        PERSON,
        AGENT
    }

    public Kind kind() {
        return aiModel == null ? Kind.PERSON : Kind.AGENT;
    }

    public Instant createdAt() {
        return id.createdAt();
    }
}
