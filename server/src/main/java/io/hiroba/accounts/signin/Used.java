package io.hiroba.accounts.signin;

import io.hiroba.accounts.Caller;
import java.time.Instant;

/**
 * Whom a secret let in.
 *
 * @param id of the session or token
 * @param before when it was last used before
 */
record Used(Caller caller, long id, Instant before, Instant expiresAt) {}
