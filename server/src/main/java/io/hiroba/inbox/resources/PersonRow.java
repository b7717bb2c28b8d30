package io.hiroba.inbox.resources;

import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/** All by which somebody can be known. */
record PersonRow(
        PersonId id,
        @Nullable String externalId,
        @Nullable String username,
        @Nullable String email,
        @Nullable UserId user) {

    Person person() {
        return new Person(id, username, user);
    }
}
