package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.fanout.ConnectionId;
import java.time.Instant;

/** A claimed delivery with its payload. */
@SuppressWarnings("ArrayRecordComponent") // never compared, and too large to copy
record WebhookCall(DeliveryId id, ConnectionId connection, String event, byte[] payload, Instant receivedAt) {}
