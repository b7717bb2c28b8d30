package io.hiroba.records;

import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/** A member of a project with their role. */
public record Member(UserId user, String nickname, @Nullable String avatar, ProjectRole role) {}
