package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rule by which posts become sources.
 *
 * @param owner whose posts; none means everybody's
 * @param tag only those with this tag; none means all
 * @param isFilling whether posts from before the rule are still being taken
 */
public record PostRule(
        PostRuleId id, @Nullable UserId owner, @Nullable String tag, boolean isFilling, Instant createdAt) {}
