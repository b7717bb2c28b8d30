package io.hiroba.knowledge;

import io.hiroba.accounts.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rule by which posts become sources.
 *
 * @param owner the author; null for everybody
 * @param tag the tag; null for all posts
 * @param isFilling whether earlier posts are still being backfilled
 */
public record PostRule(
        PostRuleId id, @Nullable UserId owner, @Nullable String tag, boolean isFilling, Instant createdAt) {}
