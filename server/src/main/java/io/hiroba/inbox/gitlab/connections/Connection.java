package io.hiroba.inbox.gitlab.connections;

import io.hiroba.inbox.resources.ConnectionId;
import java.time.Instant;

/** A GitLab that sends its webhooks. */
public record Connection(ConnectionId id, String name, Linking linking, boolean enabled, Instant createdAt) {}
