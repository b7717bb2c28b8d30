/**
 * The SSH keys that people want to be reminded of.
 *
 * <p>Invariants: what is kept is a well-formed public key, never a private one; of each end of a key its owner is told
 * once in advance and once when it has come, on however many nodes.
 */
@NullMarked
package io.hiroba.inbox.keys;

import org.jspecify.annotations.NullMarked;
