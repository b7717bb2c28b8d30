package io.hiroba.inbox.resources;

import io.hiroba.accounts.UserId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Somebody as a connection knows them.
 *
 * @param user their account here, if they have one and it is known
 */
public record Person(
        PersonId id, @Nullable String username, @Nullable UserId user) {

    public Optional<UserId> account() {
        return Optional.ofNullable(user);
    }
}
