package io.hiroba.activity.settings;

import java.time.Instant;

/** A post of somebody else whose replies are told. */
public record FollowedPost(NotedPost post, Instant since) {}
