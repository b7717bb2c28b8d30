package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import org.jspecify.annotations.Nullable;

/** The filters of the list of sessions. */
public record SessionFilter(
        UserId owner, @Nullable SessionType type, @Nullable SessionStatus status) {}
