package io.hiroba.activity.settings;

import java.time.Instant;

/** A post that somebody muted, or its likes or its replies only. */
public record MutedPost(NotedPost post, boolean likes, boolean replies, Instant since) {}
