package io.hiroba.inbox.fanout;

import io.hiroba.inbox.Action;
import io.hiroba.inbox.resources.ResourceId;
import java.time.Instant;

/** What waits for somebody who has no account here yet. */
record Kept(Action action, ResourceId resource, Author author, Instant at) {}
