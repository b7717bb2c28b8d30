package io.hiroba.platform.mail;

import java.time.Instant;

/**
 * A mail that this node has claimed.
 *
 * @param attempt the how-manieth attempt this claim is; a later claim has a higher one
 * @param expired whether it is too late to be of any use
 */
record QueuedMail(long id, NewMail mail, Instant queuedAt, int attempt, boolean expired) {}
