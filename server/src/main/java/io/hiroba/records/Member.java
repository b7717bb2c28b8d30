package io.hiroba.records;

import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/** A user's part in a project. */
public record Member(UserId user, String nickname, @Nullable String avatar, Role role) {}
