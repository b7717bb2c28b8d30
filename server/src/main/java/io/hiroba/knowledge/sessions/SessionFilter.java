package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/** Whose sessions are listed, and which of them. */
public record SessionFilter(
        UserId owner, @Nullable SessionType type, @Nullable SessionStatus status) {}
