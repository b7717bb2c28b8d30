package io.hiroba.platform.mail;

import java.time.Instant;

/**
 * A mail that this node has claimed.
 *
 * @param attempt the number of the attempt, which fences off earlier claims
 * @param expired whether its lifetime is over
 */
record QueuedMail(long id, NewMail mail, Instant queuedAt, int attempt, boolean expired) {}
