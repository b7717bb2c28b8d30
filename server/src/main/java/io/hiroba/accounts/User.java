package io.hiroba.accounts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An account, without the details of its profile.
 *
 * @param snippet the beginning of the introduction, in the stored form of a Markdown snippet
 * @param avatar the path of the picture
 * @param aiModel the model that an agent runs on
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

    /** The kinds of users. */
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
