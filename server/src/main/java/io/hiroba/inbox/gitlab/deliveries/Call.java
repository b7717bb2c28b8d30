package io.hiroba.inbox.gitlab.deliveries;

import io.hiroba.inbox.resources.ConnectionId;
import java.time.Instant;

/** A delivery as it is handed to who handles it. */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too large to copy
public record Call(DeliveryId id, ConnectionId connection, String event, byte[] payload, Instant receivedAt) {}
