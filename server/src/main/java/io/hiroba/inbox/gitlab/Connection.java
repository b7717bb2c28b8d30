package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import java.time.Instant;

/** A GitLab instance that sends webhooks. */
public record Connection(ConnectionId id, String name, AccountLinking linking, boolean enabled, Instant createdAt) {}
