package io.hiroba.activity;

import io.hiroba.social.Author;
import io.hiroba.social.PostId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one person did once, as a card shows it.
 *
 * @param post the reply, or the post with the mention; none for a follow or a like
 */
public record Act(Instant at, Author user, @Nullable PostId post) {}
