package io.hiroba.inbox.items;

import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/**
 * Who brought an item about.
 *
 * @param user their account here, if they have one
 * @param username their name where the item comes from
 */
public record ItemAuthor(
        @Nullable UserId user,
        String name,
        @Nullable String username,
        @Nullable String avatarUrl) {}
